//! Access to the files of a level.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::error::{SourceError, extension};
use crate::source::level_file::InputFile;

/// An error when `bytes` is more than `limit`.
pub fn check_size(file: &str, bytes: u64, limit: u64) -> Result<(), SourceError> {
    if bytes > limit {
        let file = file.to_owned();
        return Err(SourceError::TooLarge { file, limit });
    }
    Ok(())
}

/// Access to the files that a level refers to.
pub trait FileProvider {
    /// The bytes of a file. `name` is relative to the level's folder, with
    /// `/` between parts, and may begin with `../`.
    ///
    /// # Errors
    /// When the file cannot be read; [`io::ErrorKind::FileTooLarge`] when it has
    /// more than `limit` bytes.
    fn read(&self, name: &str, limit: u64) -> io::Result<Vec<u8>>;

    /// The names of the files in the level's folder, sorted, among which the project of Tiled
    /// is looked for.
    ///
    /// # Errors
    /// When the folder cannot be read.
    fn list(&self) -> io::Result<Vec<String>>;

    /// The name of the project of Tiled that the level belongs to, if there is one: the
    /// defaults of custom classes are in it.
    fn tiled_project(&self) -> Option<String> {
        first_project(self.list().ok()?)
    }

    /// The path by which the file of this name is opened, for build tools.
    fn path(&self, name: &str) -> PathBuf {
        PathBuf::from(name)
    }
}

/// A folder with one of these is the root of a repository.
const REPOSITORY: [&str; 4] = [".git", ".hg", ".jj", ".svn"];

/// A folder and those above it, up to the root of its repository or else of the file
/// system.
pub fn up_to_repository(folder: &Path) -> impl Iterator<Item = &Path> {
    let is_root = |folder: &Path| REPOSITORY.iter().any(|name| folder.join(name).exists());
    let root = folder.ancestors().position(is_root);
    folder
        .ancestors()
        .take(root.map_or(usize::MAX, |root| root + 1))
}

/// The first project of Tiled among names of files that are sorted.
fn first_project(names: Vec<String>) -> Option<String> {
    let is_project = |name: &String| extension(name) == "tiled-project";
    names.into_iter().find(is_project)
}

/// The files of a folder on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder(PathBuf);

impl Folder {
    /// The folder of a level.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }
}

impl FileProvider for Folder {
    fn read(&self, name: &str, limit: u64) -> io::Result<Vec<u8>> {
        read_file(&self.path(name), limit)
    }

    fn list(&self) -> io::Result<Vec<String>> {
        // An empty path is the current folder.
        let entries = std::fs::read_dir(self.0.join("."))?;
        let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        let mut names: Vec<String> = names.collect::<io::Result<_>>()?;
        names.sort_unstable();
        Ok(names)
    }

    /// The project in the folder, or else in the nearest folder above it, up to the root
    /// of its repository or else of the file system.
    fn tiled_project(&self) -> Option<String> {
        let own = std::fs::canonicalize(self.path(".")).ok()?;
        let names = up_to_repository(&own).map(|folder| Self::new(folder).list());
        let mut projects = names.map(|names| first_project(names.ok()?)).enumerate();
        let (up, name) = projects.find_map(|(up, name)| Some((up, name?)))?;
        Some("../".repeat(up) + &name)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

/// Files in memory, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemoryFiles(BTreeMap<String, Vec<u8>>);

impl MemoryFiles {
    /// Adds a file, or replaces it.
    pub fn insert(&mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.0.insert(name.into(), bytes.into());
    }
}

impl FileProvider for MemoryFiles {
    fn read(&self, name: &str, limit: u64) -> io::Result<Vec<u8>> {
        let bytes = self.0.get(name).ok_or(io::ErrorKind::NotFound)?;
        if bytes.len() as u64 > limit {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(bytes.clone())
    }

    fn list(&self) -> io::Result<Vec<String>> {
        let names = self.0.keys().filter(|name| !name.contains('/'));
        Ok(names.cloned().collect())
    }
}

/// Reads a regular file of at most `limit` bytes. Devices and pipes, which
/// might never end, are refused.
pub fn read_file(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    if !std::fs::metadata(path)?.is_file() {
        let kind = io::ErrorKind::InvalidInput;
        return Err(io::Error::new(kind, "not a regular file"));
    }
    read_at_most(path, limit)
}

/// The bytes of a file or pipe, or an error if there are more than `limit`.
pub fn read_at_most(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    // Without reading any of it. Pipes have the length 0.
    if file.metadata()?.len() > limit {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    read_stream(file, limit)
}

/// The bytes of a stream, or an error if there are more than `limit`.
pub fn read_stream(stream: impl io::Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // A byte more than the limit distinguishes a longer stream from one that just fits.
    stream.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

/// A level's file in memory. Other files come from `files`.
#[derive(Clone, Copy)]
pub struct LevelBytes<'a> {
    pub name: &'a str,
    pub bytes: &'a [u8],
    pub files: &'a dyn FileProvider,
}

/// The folder of a path as it is written before the names of files in it: `a/`.
pub fn folder_of(path: &Path) -> String {
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    folder.join("").display().to_string()
}

/// A record of a file that was read.
pub fn input(files: &dyn FileProvider, name: &str) -> InputFile {
    InputFile {
        path: files.path(name),
        name: name.to_owned(),
    }
}

/// The normalized name, relative to the level's folder, of a file that
/// `referrer` refers to as `reference`. The error says what is wrong with the
/// reference.
pub fn resolve(referrer: &str, reference: &str) -> Result<String, &'static str> {
    if reference.is_empty() {
        return Err("the file name is empty");
    }
    // Tiled writes absolute paths only for files on another drive.
    if reference.starts_with(['/', '\\']) || reference.as_bytes().get(1) == Some(&b':') {
        return Err("the path is absolute, so the file would not be found on another machine");
    }
    let folder = referrer.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(reference.split(['/', '\\'])) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    if parts.last().is_none_or(|last| *last == "..") {
        return Err("this is a folder, not a file");
    }
    Ok(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_has_one_name() {
        assert_eq!(resolve("a.tmx", "t/./x.tsx").unwrap(), "t/x.tsx");
        assert_eq!(resolve("../t/a.tx", "../u/x.tsx").unwrap(), "../u/x.tsx");
        assert_eq!(resolve("../../a.tsx", "../x.tx").unwrap(), "../../../x.tx");
        assert_eq!(resolve("a.tmx", "t\\x.tsx").unwrap(), "t/x.tsx");
        for bad in ["", "/etc/x.tsx", "C:\\x.tsx", "..", "t/..", "\\\\host\\x"] {
            assert!(resolve("a.tmx", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn only_regular_files_within_the_limit_are_read() {
        let error = read_file(Path::new("."), 10).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let error = read_file(Path::new(manifest), 3).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    }
}
