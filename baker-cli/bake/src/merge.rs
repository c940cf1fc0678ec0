//! Covering many equal cells with few rectangles.

/// A rectangle of cells: columns `left..right`, rows `top..bottom`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellRect {
    /// Its first column.
    pub left: i32,
    /// The column after its last one.
    pub right: i32,
    /// Its first row.
    pub top: i32,
    /// The row after its last one.
    pub bottom: i32,
}

/// Covers cells, given as (row, column), with rectangles that do not overlap:
/// first the longest runs in each row (if `across`), then equal runs of rows
/// that follow one another (if `down`). Topmost first, then leftmost.
pub fn merge_cells(mut cells: Vec<(i32, i32)>, across: bool, down: bool) -> Vec<CellRect> {
    cells.sort_unstable();
    cells.dedup();
    let mut done: Vec<CellRect> = Vec::new();
    // Rectangles that end in the row above, left to right, and those that end
    // in the current row.
    let mut above: Vec<CellRect> = Vec::new();
    let mut here: Vec<CellRect> = Vec::new();
    let mut row = None;
    for (y, x) in cells {
        if row != Some(y) {
            end_row(&mut done, &mut above, &mut here, down);
            if row.is_some_and(|row: i32| row + 1 != y) {
                done.append(&mut above);
            }
            row = Some(y);
        }
        match here.last_mut() {
            Some(run) if across && run.right == x => run.right = x + 1,
            _ => here.push(CellRect {
                left: x,
                right: x + 1,
                top: y,
                bottom: y + 1,
            }),
        }
    }
    end_row(&mut done, &mut above, &mut here, down);
    done.append(&mut above);
    done.sort_unstable_by_key(|rect| (rect.top, rect.left));
    done
}

/// Ends a row: its runs absorb the equal rectangles above them, and become the
/// ones above the next row.
fn end_row(
    done: &mut Vec<CellRect>,
    above: &mut Vec<CellRect>,
    here: &mut Vec<CellRect>,
    down: bool,
) {
    if here.is_empty() {
        return;
    }
    let mut old = above.drain(..).peekable();
    for run in here.iter_mut() {
        while let Some(rect) = old.next_if(|rect| rect.left < run.left) {
            done.push(rect);
        }
        if let Some(rect) = old.next_if(|rect| rect.left == run.left) {
            if down && rect.right == run.right && rect.bottom == run.top {
                run.top = rect.top;
            } else {
                done.push(rect);
            }
        }
    }
    done.extend(old);
    above.append(here);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rect(left: i32, right: i32, top: i32, bottom: i32) -> CellRect {
        CellRect {
            left,
            right,
            top,
            bottom,
        }
    }

    #[test]
    fn a_block_becomes_one_rectangle() {
        let block: Vec<_> = (0..50).flat_map(|y| (0..70).map(move |x| (y, x))).collect();
        assert_eq!(merge_cells(block.clone(), true, true), [rect(0, 70, 0, 50)]);
        assert_eq!(merge_cells(block.clone(), true, false).len(), 50);
        assert_eq!(merge_cells(block.clone(), false, true).len(), 70);
        assert_eq!(merge_cells(block, false, false).len(), 3500);
        assert_eq!(merge_cells(Vec::new(), true, true), []);
    }

    #[test]
    fn a_missing_row_separates_rectangles() {
        let cells = vec![(0, 0), (2, 0), (3, 0)];
        assert_eq!(
            merge_cells(cells, true, true),
            [rect(0, 1, 0, 1), rect(0, 1, 2, 4)]
        );
    }

    proptest! {
        /// Every cell is covered once, and nothing else.
        #[test]
        fn rectangles_cover_exactly_the_cells(
            cells in prop::collection::btree_set((-6i32..6, -6i32..6), 0..100),
            across: bool,
            down: bool,
        ) {
            let mut covered: Vec<(i32, i32)> = merge_cells(cells.iter().copied().collect(), across, down)
                .iter()
                .flat_map(|r| (r.top..r.bottom).flat_map(|y| (r.left..r.right).map(move |x| (y, x))))
                .collect();
            covered.sort_unstable();
            prop_assert_eq!(covered, cells.into_iter().collect::<Vec<_>>());
        }
    }
}
