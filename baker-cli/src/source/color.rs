//! Colours and their text form.

use std::str::FromStr;

/// Red, green, blue and straight alpha of a colour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Color(pub [u8; 4]);

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [red, green, blue, alpha] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")?;
        if alpha != 255 {
            write!(f, "{alpha:02x}")?;
        }
        Ok(())
    }
}

/// The error of parsing a colour.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a colour: write #rrggbb or #rrggbbaa, for example #ff0000")]
pub struct ColorError(String);

impl FromStr for Color {
    type Err = ColorError;

    /// Reads `#rgb`, `#rrggbb` or `#rrggbbaa` (alpha last).
    fn from_str(text: &str) -> Result<Self, ColorError> {
        let digits: Option<Vec<u8>> = text
            .strip_prefix('#')
            .unwrap_or_default()
            .chars()
            .map(|digit| digit.to_digit(16).map(|digit| digit as u8))
            .collect();
        match digits.as_deref() {
            Some([r, g, b]) => Ok(Self([r * 17, g * 17, b * 17, 255])),
            Some([a, b, c, d, e, f]) => Ok(Self([a * 16 + b, c * 16 + d, e * 16 + f, 255])),
            Some([a, b, c, d, e, f, g, h]) => {
                Ok(Self([a * 16 + b, c * 16 + d, e * 16 + f, g * 16 + h]))
            }
            _ => Err(ColorError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_print_and_parse_the_same() {
        for text in ["#000000", "#ff8001", "#12345678"] {
            assert_eq!(text.parse::<Color>().unwrap().to_string(), text);
        }
        assert_eq!("#F80".parse::<Color>().unwrap(), Color([255, 136, 0, 255]));
        for bad in ["", "#", "ff0000", "#ff00", "#ff00zz", "#ff00000000", "#é00"] {
            assert!(bad.parse::<Color>().is_err(), "{bad}");
        }
    }
}
