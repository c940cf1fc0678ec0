//! Colours and their text form.

use std::str::FromStr;

/// A colour with straight alpha, 8 bits a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Color {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
    /// 255 is opaque.
    pub alpha: u8,
}

impl Color {
    /// An opaque colour.
    pub const fn opaque(red: u8, green: u8, blue: u8) -> Self {
        Self {
            red,
            green,
            blue,
            alpha: 255,
        }
    }
}

impl From<[u8; 4]> for Color {
    fn from([red, green, blue, alpha]: [u8; 4]) -> Self {
        Self {
            red,
            green,
            blue,
            alpha,
        }
    }
}

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)?;
        if self.alpha != 255 {
            write!(f, "{:02x}", self.alpha)?;
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
            Some([r, g, b]) => Ok(Self::opaque(r * 17, g * 17, b * 17)),
            Some([a, b, c, d, e, f]) => Ok(Self::opaque(a * 16 + b, c * 16 + d, e * 16 + f)),
            Some([a, b, c, d, e, f, g, h]) => Ok(Self {
                alpha: g * 16 + h,
                ..Self::opaque(a * 16 + b, c * 16 + d, e * 16 + f)
            }),
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
        assert_eq!("#F80".parse::<Color>().unwrap(), Color::opaque(255, 136, 0));
        for bad in ["", "#", "ff0000", "#ff00", "#ff00zz", "#ff00000000", "#é00"] {
            assert!(bad.parse::<Color>().is_err(), "{bad}");
        }
    }
}
