//! Numbers of layers, platforms, links and vertices as types of their own.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(transparent))]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index into a slice.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}", self.0)
            }
        }
    };
}

/// A grid vertex: `row * columns + column`, row 0 at the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct VertexId(pub u32);

id! {
    /// A platform of one layer.
    PlatformId
}
id! {
    /// A link of one layer.
    LinkId
}
id! {
    /// A marker of one mesh; see [`NavMesh::marker`](super::NavMesh::marker).
    MarkerId
}
id! {
    /// A layer of one mesh. Look it up once by the agent's name
    /// ([`NavMesh::layer_id`](super::NavMesh::layer_id)), and again after the
    /// mesh was replaced: another mesh may hold its layers in another order.
    LayerId
}
