//! The pictures of tiles.

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TilePicture {
    /// The image, relative to the level's file.
    pub image: String,
    /// Its colour that is transparent.
    pub clear: Option<[u8; 3]>,
    pub part: TilePart,
}

/// The part of an image that shows a tile.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum TilePart {
    /// Left, top, width and height.
    Rect([u32; 4]),
    /// That of a number, in an image with as many tiles in a row as fit.
    Numbered {
        number: u32,
        size: [u32; 2],
        margin: u32,
        spacing: u32,
    },
}

impl TilePart {
    /// Left, top, width and height in an image of this width.
    pub fn rect(&self, image_width: u32) -> [u32; 4] {
        match *self {
            Self::Rect(rect) => rect,
            Self::Numbered {
                number,
                size: [width, height],
                margin,
                spacing,
            } => {
                let room = image_width.saturating_add(spacing).saturating_sub(margin);
                let columns = (room / width.saturating_add(spacing).max(1)).max(1);
                let at = |number: u32, side: u32| {
                    let step = side.saturating_add(spacing);
                    margin.saturating_add(number.saturating_mul(step))
                };
                let (left, top) = (at(number % columns, width), at(number / columns, height));
                [left, top, width, height]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_images() {
        let part = |number| TilePart::Numbered {
            number,
            size: [16, 8],
            margin: 1,
            spacing: 2,
        };
        // Two tiles in a row: 1 + 16 + 2 + 16.
        assert_eq!(part(3).rect(35), [19, 11, 16, 8]);
        assert_eq!(part(3).rect(0), [1, 31, 16, 8]);
        assert_eq!(TilePart::Rect([1, 2, 3, 4]).rect(9), [1, 2, 3, 4]);
    }
}
