//! A look at the raw bytes before any parser sees them.
//!
//! XML parsers do work that grows with the square of what is odd: attributes
//! on one element are compared with each other, and entities expand. A single
//! pass finds documents that no map editor writes.

/// More attributes than any element of a map has, with room to spare.
const MAX_ATTRIBUTES: usize = 256;

/// What is odd about a document, and the byte where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Oddity {
    pub(super) at: usize,
    pub(super) problem: &'static str,
}

/// Looks for what no map editor writes.
pub(super) fn scan(text: &str) -> Result<(), Oddity> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(open) = find(bytes, at, b"<") {
        let rest = &bytes[open..];
        if rest.starts_with(b"<!ENTITY") {
            return Err(Oddity {
                at: open,
                problem: "it declares an XML entity, which maps do not need",
            });
        }
        at = if rest.starts_with(b"<!--") {
            skip(bytes, open + 4, b"-->")
        } else if rest.starts_with(b"<![CDATA[") {
            skip(bytes, open + 9, b"]]>")
        } else if rest.starts_with(b"<?") {
            skip(bytes, open + 2, b"?>")
        } else if rest.starts_with(b"<!") {
            // A document type may contain declarations: look inside.
            open + 2
        } else {
            tag(bytes, open)?
        };
    }
    Ok(())
}

/// Walks over a tag; the byte after it.
fn tag(bytes: &[u8], open: usize) -> Result<usize, Oddity> {
    let mut attributes = 0;
    let mut quote = None;
    for (i, &byte) in bytes.iter().enumerate().skip(open + 1) {
        match (quote, byte) {
            (Some(mark), _) => {
                if mark == byte {
                    quote = None;
                }
            }
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'=') => {
                attributes += 1;
                if attributes > MAX_ATTRIBUTES {
                    return Err(Oddity {
                        at: i,
                        problem: "an element has more than 256 attributes",
                    });
                }
            }
            (None, b'>') => return Ok(i + 1),
            (None, _) => {}
        }
    }
    Ok(bytes.len())
}

fn skip(bytes: &[u8], from: usize, end: &[u8]) -> usize {
    find(bytes, from, end).map_or(bytes.len(), |at| at + end.len())
}

fn find(bytes: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    let (&first, rest) = what.split_first()?;
    let mut from = from;
    while let Some(offset) = bytes.get(from..)?.iter().position(|&b| b == first) {
        let at = from + offset;
        if bytes[at + 1..].starts_with(rest) {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_documents_pass() {
        for text in [
            "",
            "<",
            "<map",
            "<!-- <!ENTITY --><map a='<!ENTITY'><![CDATA[<!ENTITY = = ]]></map>",
            "<?xml version='1.0'?><!DOCTYPE map SYSTEM \"http://mapeditor.org/dtd/1.0/map.dtd\"><map/>",
        ] {
            assert_eq!(scan(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn odd_ones_do_not() {
        let entity = "<!DOCTYPE map [\n<!ENTITY a 'aaaa'>]><map/>";
        assert_eq!(scan(entity).unwrap_err().at, 16);
        let wide = format!("<map {}/>", "a='1' ".repeat(300));
        assert!(scan(&wide).is_err());
    }
}
