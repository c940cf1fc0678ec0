//! Parsing XML files, which may be malformed or malicious.

use roxmltree::{Document, ParsingOptions};

use crate::source::error::Fault;
use crate::source::text::TextFile;

/// The most elements and texts in one file. Cells may be elements: a map of
/// 1000 x 1000 such cells fits; parsed, the limit takes about 400 MiB.
const MAX_NODES: u32 = 1 << 22;

/// The most attributes of one element. Tiled's elements have at most 21, and
/// the parser compares each attribute with all others of its element.
const MAX_ATTRIBUTES: usize = 256;

pub fn parse<'a>(file: &TextFile<'a>) -> Result<Document<'a>, Fault> {
    file.check_not_empty("XML")?;
    let fault = |line: u32, problem: String| {
        let advice = "open it in Tiled and save it again";
        Fault::at(file.name, line, "", problem, advice)
    };
    scan(file.text).map_err(|(at, problem)| fault(file.line_of_byte(at), problem.to_owned()))?;
    let options = ParsingOptions {
        // Old maps begin with a document type. The scan has found no entities.
        allow_dtd: true,
        nodes_limit: MAX_NODES,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(file.text, options).map_err(|error| {
        let line = error.pos().row;
        let problem = match error {
            roxmltree::Error::NodesLimitReached => {
                format!("more than {MAX_NODES} XML elements; store tiles as CSV or base64")
            }
            error => format!("not well-formed XML: {error}"),
        };
        fault(line, problem)
    })
}

/// Refuses documents on which parsers take quadratic or exponential time: many
/// attributes on one element, and entities. The error is the byte and what is
/// wrong there.
fn scan(text: &str) -> Result<(), (usize, &'static str)> {
    let after = |from: usize, end: &str| {
        let found = text[from..].find(end);
        found.map_or(text.len(), |at| from + at + end.len())
    };
    let mut at = 0;
    while let Some(before) = text[at..].find('<') {
        let open = at + before;
        let rest = &text[open..];
        if rest.starts_with("<!ENTITY") {
            return Err((open, "it declares an XML entity, which maps do not need"));
        }
        at = if rest.starts_with("<!--") {
            after(open + 4, "-->")
        } else if rest.starts_with("<![CDATA[") {
            after(open + 9, "]]>")
        } else if rest.starts_with("<?") {
            after(open + 2, "?>")
        } else if rest.starts_with("<!") {
            // A document type may contain declarations, which are scanned too.
            open + 2
        } else {
            skip_tag(text, open)?
        };
    }
    Ok(())
}

/// The byte after a tag.
fn skip_tag(text: &str, open: usize) -> Result<usize, (usize, &'static str)> {
    let mut attributes = 0;
    let mut quote = None;
    for (i, byte) in text.bytes().enumerate().skip(open + 1) {
        match (quote, byte) {
            (Some(mark), _) if mark == byte => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'=') => {
                attributes += 1;
                if attributes > MAX_ATTRIBUTES {
                    return Err((i, "an element has more than 256 attributes"));
                }
            }
            (None, b'>') => return Ok(i + 1),
            _ => {}
        }
    }
    Ok(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_documents_pass_the_scan() {
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
}
