//! What happens later in a simulation, as the command line tells it.

use std::str::FromStr;

use glam::Vec2;

use super::{Point, seconds};

/// A destination for later.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::cli) struct Later {
    pub(in crate::cli) time: f64,
    pub(in crate::cli) to: Vec2,
}

impl FromStr for Later {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (time, to) = text
            .split_once(':')
            .ok_or("when and where to, T:X,Y, such as 2.5:400,48")?;
        Ok(Self {
            time: seconds(time)?,
            to: to.parse::<Point>()?.0,
        })
    }
}

/// When a stun begins and how long it lasts, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::cli) struct Stun {
    pub(in crate::cli) time: f64,
    pub(in crate::cli) length: f64,
}

impl FromStr for Stun {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (time, length) = text
            .split_once(':')
            .ok_or("when and how long, T:SECONDS, such as 1.2:0.5")?;
        Ok(Self {
            time: seconds(time)?,
            length: seconds(length)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_have_a_time_and_a_place_or_a_length() {
        let later = Later {
            time: 2.5,
            to: Vec2::new(-4.0, 8.0),
        };
        assert_eq!("2.5:-4,8".parse(), Ok(later));
        let stun = Stun {
            time: 1.0,
            length: 0.5,
        };
        assert_eq!("1:0.5".parse(), Ok(stun));
        for wrong in ["4,8", "-1:4,8", "nan:4,8", "1:4", "9999:4,8"] {
            assert!(wrong.parse::<Later>().is_err(), "{wrong}");
        }
        for wrong in ["1", "1:-2", "x:1", "1:inf"] {
            assert!(wrong.parse::<Stun>().is_err(), "{wrong}");
        }
    }
}
