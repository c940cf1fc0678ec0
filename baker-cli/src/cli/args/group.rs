//! Arguments that several commands take.

use std::io::{self, BufWriter, StdoutLock, Write, stdout};
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use super::super::Failure;
use super::super::pipeline::{self, Asset};

/// The baked file a command looks at.
#[derive(Debug, Args)]
pub(in crate::cli) struct BakedFile {
    /// A baked file; `-` for stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,
}

impl BakedFile {
    pub(in crate::cli) fn path(&self) -> &Path {
        &self.file
    }

    pub(in crate::cli) fn open(&self) -> Result<Asset, Failure> {
        pipeline::open(&self.file)
    }
}

/// The configuration, where it is not to be looked for.
#[derive(Debug, Args)]
pub(in crate::cli) struct ConfigFile {
    /// Take the configuration from this file
    #[arg(long, value_name = "navbake.toml", value_hint = ValueHint::FilePath)]
    config: Option<PathBuf>,
}

impl ConfigFile {
    pub(in crate::cli) fn path(&self) -> Option<&Path> {
        self.config.as_deref()
    }
}

/// Whether a command writes for people or for programs.
#[derive(Debug, Clone, Copy, Args)]
pub(in crate::cli) struct Form {
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// Stdout, as commands write to it.
pub(in crate::cli) type Out = BufWriter<StdoutLock<'static>>;

impl Form {
    pub(in crate::cli) fn is_json(self) -> bool {
        self.json
    }

    /// Writes to stdout in the one form or the other.
    pub(in crate::cli) fn write(
        self,
        json: impl FnOnce(&mut Out) -> io::Result<()>,
        text: impl FnOnce(&mut Out) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let mut out = BufWriter::new(stdout().lock());
        if self.json {
            json(&mut out)?;
        } else {
            text(&mut out)?;
        }
        out.flush()?;
        Ok(())
    }
}
