//! Connected groups of an undirected graph.

/// Partitions the nodes `0..count` into groups that pairs of nodes connect.
/// Groups are in the order of their least member; members are sorted.
pub(super) fn connected(
    count: usize,
    pairs: impl IntoIterator<Item = (usize, usize)>,
) -> Vec<Vec<usize>> {
    // Each node points to a smaller node of its group, the least to itself.
    let mut parent: Vec<usize> = (0..count).collect();
    for (a, b) in pairs {
        let (a, b) = (least(&mut parent, a), least(&mut parent, b));
        parent[a.max(b)] = a.min(b);
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut group_of = vec![0; count];
    for node in 0..count {
        let first = least(&mut parent, node);
        if first == node {
            group_of[node] = groups.len();
            groups.push(Vec::new());
        }
        groups[group_of[first]].push(node);
    }
    groups
}

fn least(parent: &mut [usize], mut node: usize) -> usize {
    while parent[node] != node {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_connect_nodes_whatever_their_order() {
        let groups = connected(6, [(4, 2), (0, 5), (5, 4)]);
        assert_eq!(groups, [vec![0, 2, 4, 5], vec![1], vec![3]]);
    }
}
