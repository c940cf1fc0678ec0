//! Positions on the command line.

use std::str::FromStr;

use glam::Vec2;

/// A position on the command line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::cli) struct Point(pub(in crate::cli) Vec2);

impl FromStr for Point {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse::<f32>().ok().filter(|v| v.is_finite());
        text.split_once(',')
            .and_then(|(x, y)| Some(Self(Vec2::new(number(x)?, number(y)?))))
            .ok_or_else(|| "a position is two numbers, X,Y, such as 24,96.5".to_string())
    }
}

/// Two positions on the command line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::cli) struct Ends {
    pub(in crate::cli) from: Vec2,
    pub(in crate::cli) to: Vec2,
}

impl FromStr for Ends {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (from, to) = text
            .split_once(':')
            .ok_or("a path is two positions, X,Y:X,Y, such as 24,96:400,48")?;
        Ok(Self {
            from: from.parse::<Point>()?.0,
            to: to.parse::<Point>()?.0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_pairs_of_numbers() {
        assert_eq!("-1,2.5".parse(), Ok(Point(Vec2::new(-1.0, 2.5))));
        assert_eq!(
            "0,0: -3,4".parse(),
            Ok(Ends {
                from: Vec2::ZERO,
                to: Vec2::new(-3.0, 4.0)
            })
        );
        for wrong in ["", "1", "1;2", "1,2,3", "nan,1", "inf,0"] {
            assert!(wrong.parse::<Point>().is_err(), "{wrong}");
        }
        assert!("1,2".parse::<Ends>().is_err());
    }
}
