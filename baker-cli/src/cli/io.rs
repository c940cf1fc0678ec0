//! Files and streams: names of files, reading, and writing without losing a file of the
//! user.
//!
//! An existing file is replaced only by one of its own [`Kind`]: a level, a tileset, a
//! configuration or notes are no file that navbake writes, so no output replaces them.

use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _, stdout};
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ImageBuffer, Pixel, PixelWithColorType};

use crate::cli::failure::{Failure, shown};
use crate::cli::terminal::Terminal;
pub use crate::config::normalized;
use crate::source::{self, read_at_most, read_stream};
pub use crate::source::{LEVEL_EXTENSIONS, POSSIBLE_LEVEL_EXTENSIONS};

/// Largest size of a baked file that is read, in bytes. A level has at most 2^28
/// vertices, whose terrain takes 32 MiB for an agent; the rest is for links.
pub const MAX_BAKED_BYTES: u64 = 1 << 30;

/// Whether a path stands for stdin or stdout.
pub fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
}

/// How messages name an input.
pub fn name_of(path: &Path) -> String {
    if is_dash(path) {
        "stdin".to_owned()
    } else {
        path.display().to_string()
    }
}

/// The last part of a path as text; empty when there is none.
pub fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Whether a path ends in one of some extensions, in upper or lower case.
pub fn has_extension<'a>(path: &Path, extensions: impl IntoIterator<Item = &'a str>) -> bool {
    let own = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    (extensions.into_iter()).any(|extension| own.eq_ignore_ascii_case(extension))
}

pub fn is_baked(path: &Path) -> bool {
    has_extension(path, ["navmesh"])
}

/// Whether a path is that of a level, by its extension.
pub fn is_level(path: &Path) -> bool {
    let extensions = LEVEL_EXTENSIONS.into_iter();
    has_extension(
        &level_file(path),
        extensions.chain(POSSIBLE_LEVEL_EXTENSIONS),
    )
}

/// The file that a level is in: `w.ldtk` for `w.ldtk#Level_0`.
pub fn level_file(level: &Path) -> PathBuf {
    let name = file_name(level);
    let file = source::level_file(&name);
    if file.len() == name.len() {
        level.to_path_buf()
    } else {
        level.with_file_name(file)
    }
}

/// The name of a level's baked file: `a.tmx` becomes `a.navmesh`, and the level
/// `w.ldtk#Level_0` of a project becomes `w.Level_0.navmesh`. A baked file keeps its name.
pub fn baked_name(level: &Path) -> PathBuf {
    if is_baked(level) {
        return level.to_path_buf();
    }
    let file = level_file(level);
    let own = file.file_name().map_or(0, OsStr::len);
    match file_name(level).get(own + 1..) {
        Some(part) if file != level => file.with_extension(format!("{part}.navmesh")),
        _ => level.with_extension("navmesh"),
    }
}

/// The output file: the one given, or the baked file's name with another extension after
/// it: `level.navmesh.png`. What comes from stdin goes to stdout.
pub fn beside(given: Option<&Path>, input: &Path, extension: &str) -> PathBuf {
    match given {
        Some(path) => path.to_path_buf(),
        None if is_dash(input) => input.to_path_buf(),
        None => {
            let mut name = baked_name(input).into_os_string();
            name.push(".");
            name.push(extension);
            PathBuf::from(name)
        }
    }
}

/// The folder of a file, `.` for a file in the current folder.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

pub fn current_folder() -> Result<PathBuf, Failure> {
    std::env::current_dir()
        .map_err(|e| Failure::new(format!("cannot determine the current folder: {e}")))
}

/// So many folders inside each other are searched. Projects have some ten; each more makes
/// every path below longer, up to what the system accepts.
pub const MOST_FOLDERS: usize = 100;

/// The entries of a folder and its subfolders, sorted by path. Hidden ones are
/// skipped; ignore files are not read. A folder below [`MOST_FOLDERS`] others comes without
/// its entries.
pub fn visible_entries(folder: &Path) -> WalkBuilder {
    let mut walk = WalkBuilder::new(folder);
    walk.standard_filters(false)
        .hidden(true)
        .max_depth(Some(MOST_FOLDERS))
        .sort_by_file_path(Path::cmp);
    walk
}

/// A path below a folder. Messages say `a.tmx`, not `./a.tmx`.
pub fn in_folder(folder: &Path, below: &Path) -> PathBuf {
    if folder == Path::new(".") {
        below.to_path_buf()
    } else {
        folder.join(below)
    }
}

/// The bytes of a file, or of stdin. The readers of levels have lower limits.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    if !is_dash(path) {
        return read_at_most(path, MAX_BAKED_BYTES)
            .map_err(|e| Failure::file("read the file", path, &e));
    }
    read_stream(io::stdin().lock(), MAX_BAKED_BYTES)
        .map_err(|e| Failure::new(format!("cannot read stdin: {e}")))
}

/// A kind of file that navbake writes.
pub struct Kind {
    /// How messages name a file of this kind.
    name: &'static str,
    extension: &'static str,
    /// How it begins.
    start: &'static [u8],
    /// What files of other programs, which may be inputs, do not have. It stands this many
    /// bytes before the end, where the format allows a comment.
    mark: (&'static [u8], usize),
    /// Whether the rest is as navbake writes it.
    has_own_form: fn(&[u8]) -> bool,
}

const fn kind(name: &'static str, extension: &'static str, start: &'static [u8]) -> Kind {
    Kind {
        name,
        extension,
        start,
        mark: (b"", 0),
        has_own_form: |_| true,
    }
}

/// Baked files.
pub const BAKED: Kind = kind("a baked file", "navmesh", b"\x89NAV\r\n\x1a\n");

/// Rules for make and ninja, which has no comments. The lines are recognized: targets,
/// indented inputs, and an empty rule at the end.
pub const DEPFILE: Kind = Kind {
    mark: (b":\n", 0),
    has_own_form: |bytes| {
        str::from_utf8(bytes).is_ok_and(|text| {
            (text.lines()).all(|line| {
                line.is_empty()
                    || line.starts_with("  ")
                    || line.ends_with(':')
                    || line.ends_with(": \\")
            })
        })
    },
    ..kind("a depfile", "d", b"")
};

/// The kinds that are known by how they begin.
const KINDS: [Kind; 5] = [
    BAKED,
    Kind {
        // A chunk of text before the last chunk.
        mark: (b"\0\0\0\x10tEXtSoftware\0navbake\xb8\x56\xfe\x12", 12),
        ..kind("a PNG picture by navbake", "png", b"\x89PNG")
    },
    Kind {
        // A comment before the end of the stream.
        mark: (b"\x21\xfe\x07navbake\0", 1),
        ..kind("a GIF picture by navbake", "gif", b"GIF8")
    },
    Kind {
        mark: (b"<!-- by navbake -->\n", 0),
        ..kind("an HTML page by navbake", "html", b"<!doctype html>")
    },
    kind("a manual page", "1", b".ie \\n(.g .ds Aq"),
];

impl Kind {
    fn of(bytes: &[u8]) -> Option<&'static Self> {
        KINDS.iter().find(|kind| bytes.starts_with(kind.start))
    }

    /// Whether a file has the marks of this kind.
    fn contains(&self, bytes: &[u8]) -> bool {
        let (mark, before_end) = self.mark;
        let end = bytes.len().saturating_sub(before_end);
        bytes.starts_with(self.start) && bytes[..end].ends_with(mark) && (self.has_own_form)(bytes)
    }

    /// Refuses a path whose extension is that of an input: by its name, the file would be an
    /// input of the next run.
    pub fn check_name(&self, output: &Path, what: &str) -> Result<(), Failure> {
        let is_input = is_level(output) || is_baked(output) || has_extension(output, ["toml"]);
        if !is_input || has_extension(output, [self.extension]) {
            return Ok(());
        }
        let problem = format_args!(
            "by its extension this is a level, a picture or a configuration, and {what}"
        );
        let help = format_args!("end the name with .{}", self.extension);
        Err(Failure::about(output, problem, help))
    }

    /// The bytes of an output as it is now; `None` when there is no file. A file of another
    /// kind, which the user may need, is an error.
    pub fn replaceable(&self, output: &Path) -> Result<Option<Vec<u8>>, Failure> {
        refuse_special(output)?;
        let bytes = match read_at_most(output, MAX_BAKED_BYTES) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(Failure::file("read the file", output, &e)),
        };
        if bytes.is_empty() || self.contains(&bytes) {
            return Ok(Some(bytes));
        }
        let problem = format_args!("this is not {}, so it is not replaced", self.name);
        let help = "name another file, or remove this one first";
        Err(Failure::about(output, problem, help))
    }
}

/// Refuses an output that exists and is not a regular file: a device or a pipe would be
/// replaced by a file.
fn refuse_special(output: &Path) -> Result<(), Failure> {
    match fs::metadata(output) {
        Ok(metadata) if metadata.is_dir() => {
            Err(Failure::about(output, "this is a folder", "name a file"))
        }
        Ok(metadata) if !metadata.is_file() => {
            let problem = "this is not a regular file, so it is not replaced";
            let help = "`-` writes to stdout, which can be a pipe or a device";
            Err(Failure::about(output, problem, help))
        }
        _ => Ok(()),
    }
}

/// Refuses to overwrite one of the inputs of a command, by whatever path it is named.
/// `option` is the option that names the output.
pub fn refuse_overwrite<P: AsRef<Path>>(
    output: &Path,
    inputs: &[P],
    option: &str,
) -> Result<(), Failure> {
    for input in inputs {
        let input = level_file(input.as_ref());
        // Opening a pipe would wait for its writer.
        let are_files = output.is_file() && input.is_file();
        if are_files && same_file::is_same_file(output, &input).unwrap_or(false) {
            let help = format_args!("give another file with {option}");
            return Err(Failure::about(
                output,
                "the output would replace an input",
                help,
            ));
        }
    }
    Ok(())
}

pub fn create_folder(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|e| Failure::file("create the folder", folder, &e))
}

/// Writes all of stdout at once.
pub fn to_stdout(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = stdout().lock();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}

/// Writes a file with the mark of its kind, and prints a line with `summary` or else its size; or
/// writes to stdout.
pub fn write(
    output: &Path,
    mut bytes: Vec<u8>,
    summary: Option<String>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    if let Some(kind) = Kind::of(&bytes).filter(|kind| !kind.contains(&bytes)) {
        let (mark, before_end) = kind.mark;
        let end = bytes.len().saturating_sub(before_end);
        bytes.splice(end..end, mark.iter().copied());
    }
    if is_dash(output) {
        return to_stdout(&bytes);
    }
    store(output, &bytes)?;
    let summary = summary.unwrap_or_else(|| format!("{} bytes", bytes.len()));
    terminal.print(&format!("{}: {summary}", shown(output)));
    Ok(())
}

pub fn write_png(
    picture: &image::RgbImage,
    output: &Path,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let summary = format!("{} x {} pixels", picture.width(), picture.height());
    write(output, png(picture)?, Some(summary), terminal)
}

pub fn png<P>(picture: &ImageBuffer<P, Vec<u8>>) -> Result<Vec<u8>, Failure>
where
    P: Pixel<Subpixel = u8> + PixelWithColorType,
{
    let mut png = Vec::new();
    // Pictures are lines on flat colour. PNG's filters would make equal pixels
    // differ, and the file larger.
    let encoder =
        PngEncoder::new_with_quality(&mut png, CompressionType::Best, FilterType::NoFilter);
    picture
        .write_with_encoder(encoder)
        .map_err(|e| Failure::new(format!("cannot encode the picture: {e}")))?;
    Ok(png)
}

/// Writes a file. An existing file is replaced only if it is of the same kind. Returns
/// whether it was written.
pub fn store(output: &Path, bytes: &[u8]) -> Result<bool, Failure> {
    match Kind::of(bytes) {
        Some(kind) => {
            kind.replaceable(output)?;
            kind.check_name(output, &format!("the output is {}", kind.name))?;
        }
        None => refuse_special(output)?,
    }
    write_if_changed(output, bytes).map_err(|e| Failure::file("write the file", output, &e))
}

/// Writes a file as a whole, so that a reader sees the old content or the new one, unless it
/// has this content already: builds that compare modification times then see a change only
/// where there is one. Returns whether the file was written.
///
/// The bytes go to a temporary file in the same folder, which is then renamed. Where the
/// path is a symbolic link, the file it points to is replaced, not the link. A link that
/// leads nowhere is replaced: to follow it would create a file in a place that no argument
/// names.
///
/// # Errors
/// Those of the system. The old content, if any, is then unchanged.
fn write_if_changed(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let (path, old) = match fs::canonicalize(path) {
        Ok(real) => (real.clone(), Some(fs::metadata(real)?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (path.to_owned(), None),
        Err(error) => return Err(error),
    };
    if let Some(old) = &old
        && old.is_file()
        && old.len() == bytes.len() as u64
        && fs::read(&path)? == bytes
    {
        return Ok(false);
    }
    let temporary = (tempfile::Builder::new().prefix(".").suffix(TEMPORARY))
        .make_in(folder_of(&path), create_locked)?;
    let mut file = temporary.as_file();
    file.write_all(bytes)?;
    let kept = old.map_or(Ok(()), |old| file.set_permissions(old.permissions()));
    // WASI has no permissions.
    if let Err(error) = kept
        && error.kind() != io::ErrorKind::Unsupported
    {
        return Err(error);
    }
    // Otherwise a crash of the system could leave the new name with a file without content.
    file.sync_all()?;
    // The lock ends when the file is dropped, after it was renamed.
    temporary.persist(&path)?;
    Ok(true)
}

/// The end of the names of temporary files.
const TEMPORARY: &str = ".navmesh-tmp";

/// Creates a temporary file, which [`sweep`] does not remove while it is open. On the
/// error [`io::ErrorKind::AlreadyExists`], another name must be tried.
fn create_locked(path: &Path) -> io::Result<File> {
    let file = File::create_new(path)?;
    // On a file system without locks `sweep` cannot lock the file either.
    let is_swept = matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || !path.exists();
    if is_swept {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    Ok(file)
}

/// Removes temporary files that killed processes left in a folder, as far as they can
/// be. Files that are still being written are kept.
pub fn sweep(folder: &Path) {
    // A folder that does not exist yet has nothing to remove.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), file_name(&entry.path()));
        let own = name.strip_prefix('.');
        if own.is_some_and(|own| own.ends_with(TEMPORARY))
            && let Ok(file) = File::open(&path)
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(&path);
        }
    }
}
