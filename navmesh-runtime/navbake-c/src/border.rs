//! The border to C: errors, panics, texts, lists and versioned structs.
//!
//! Nearly all `unsafe` of the crate is here. What C passes is trusted to be as
//! the contract at the top of the header says; everything that can be checked is
//! checked.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::fmt::Display;
use std::mem::{MaybeUninit, size_of};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, TryLockError};

use navmesh_runtime::glam::Vec2;

/// What a function returns.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NbResult {
    /// It worked.
    Ok = 0,
    /// A pointer is null that must not be, or a number is out of its range.
    ErrorArgument = 1,
    /// The `size` of a struct is not one of a version that this library knows.
    ErrorSize = 2,
    /// The buffer is too small. What fits was written, and the count or length
    /// says how much there is.
    ErrorBuffer = 3,
    /// The file could not be read.
    ErrorFile = 4,
    /// The bytes are not a nav mesh that this library reads.
    ErrorMesh = 5,
    /// There is no layer, door, marker, region, platform, link or key of that name or
    /// number, or the key was never set.
    ErrorUnknown = 6,
    /// The tree file has a mistake, or the pools lack one that the tree names.
    ErrorTree = 7,
    /// Another call is using the object: one on another thread, or one that is
    /// running a callback now.
    ErrorBusy = 8,
    /// A defect in this library. The objects of the call should be freed.
    ErrorInternal = 9,
}

/// An error on its way to the border.
#[derive(Debug)]
pub(crate) struct Error {
    pub(crate) result: NbResult,
    pub(crate) message: String,
}

impl Error {
    pub(crate) fn new(result: NbResult, message: impl Display) -> Self {
        Self {
            result,
            message: message.to_string(),
        }
    }

    pub(crate) fn argument(message: impl Display) -> Self {
        Self::new(NbResult::ErrorArgument, message)
    }

    pub(crate) fn unknown(message: impl Display) -> Self {
        Self::new(NbResult::ErrorUnknown, message)
    }
}

pub(crate) type Outcome<T = ()> = Result<T, Error>;

thread_local! {
    static MESSAGE: RefCell<CString> = RefCell::default();
}

/// The message of the last call on this thread that returned an error: what is
/// wrong, and usually what to do. Empty before the first error. It belongs to the
/// library and is valid until the next call on this thread that returns an error.
#[unsafe(no_mangle)]
pub extern "C" fn nb_error_message() -> *const c_char {
    // The text keeps its address until the cell gets another one. At the end of
    // the thread the cell is gone.
    let message = MESSAGE.try_with(|message| message.borrow().as_ptr());
    message.unwrap_or(c"".as_ptr())
}

/// Runs the body of a function. Errors become codes with a message, and so do
/// panics, which must not cross the border.
pub(crate) fn guard(body: impl FnOnce() -> Outcome) -> NbResult {
    // What a panic may have left half done is behind a `Mutex`, which it poisons.
    let error = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return NbResult::Ok,
        Ok(Err(error)) => error,
        Err(panic) => {
            let text = (panic.downcast_ref::<&str>().copied())
                .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
            let text = text.unwrap_or("a panic without a text");
            Error::new(NbResult::ErrorInternal, format_args!("a defect: {text}"))
        }
    };
    let Error { result, message } = error;
    // A text in C ends at its first zero.
    let message = CString::new(message.replace('\0', " ")).unwrap_or_default();
    _ = MESSAGE.try_with(|last| last.replace(message));
    result
}

/// Frees an object. A panic while it is dropped does not cross the border.
pub(crate) fn free<T>(object: Option<Box<T>>) {
    guard(|| {
        drop(object);
        Ok(())
    });
}

/// What a handle leads to: a value that one call uses at a time. A second call,
/// on another thread or from a callback, gets an error instead of a data race.
#[derive(Debug)]
pub(crate) struct Shared<T>(Mutex<T>);

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    pub(crate) fn lock(&self, what: &str) -> Outcome<MutexGuard<'_, T>> {
        self.0.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => Error::new(
                NbResult::ErrorBusy,
                format_args!("another call is using the {what}"),
            ),
            TryLockError::Poisoned(_) => Error::new(
                NbResult::ErrorInternal,
                format_args!("a call on the {what} failed by a defect before; free it"),
            ),
        })
    }
}

pub(crate) fn handle<'a, T>(handle: Option<&'a T>, what: &str) -> Outcome<&'a T> {
    handle.ok_or_else(|| Error::argument(format_args!("the {what} is null")))
}

/// A place for a result.
pub(crate) type Out<'a, T> = Option<&'a mut MaybeUninit<T>>;

/// Writes a result.
pub(crate) fn put<T>(out: Out<'_, T>, value: T) -> Outcome {
    let out = out.ok_or_else(|| Error::argument("the pointer for the result is null"))?;
    out.write(value);
    Ok(())
}

/// Writes an optional result.
pub(crate) fn put_if<T>(out: Out<'_, T>, value: T) {
    if let Some(out) = out {
        out.write(value);
    }
}

/// Makes an object and writes its handle.
pub(crate) fn put_new<T>(
    out: Out<'_, Option<Box<T>>>,
    make: impl FnOnce() -> Outcome<T>,
) -> Outcome {
    let out = out.ok_or_else(|| Error::argument("the pointer for the result is null"))?;
    // Null on errors, so that freeing it is harmless.
    out.write(None);
    out.write(Some(Box::new(make()?)));
    Ok(())
}

/// A text of C.
///
/// # Safety
/// `text` is null or points to a text that ends with a zero, and that does not
/// change for `'a`.
pub(crate) unsafe fn text<'a>(text: *const c_char, what: &str) -> Outcome<&'a str> {
    if text.is_null() {
        return Err(Error::argument(format_args!("the {what} is null")));
    }
    // SAFETY: not null, and ends with a zero: required of the caller.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str()
        .map_err(|_| Error::argument(format_args!("the {what} is not UTF-8")))
}

/// A number that must be finite and not negative.
pub(crate) fn amount(number: f32, what: &str) -> Outcome<f32> {
    if number.is_finite() && number >= 0.0 {
        return Ok(number);
    }
    let problem = format_args!("the {what} is {number}; it must be finite and not negative");
    Err(Error::argument(problem))
}

/// A place whose coordinates must be finite.
pub(crate) fn place(at: NbVec2, what: &str) -> Outcome<Vec2> {
    if at.x.is_finite() && at.y.is_finite() {
        return Ok(at.into());
    }
    let problem = format_args!("the {what} is {},{}; it must be finite", at.x, at.y);
    Err(Error::argument(problem))
}

/// The bytes of a buffer.
///
/// # Safety
/// `bytes` is null or points to `length` bytes, which do not change for `'a`.
pub(crate) unsafe fn bytes<'a>(bytes: *const u8, length: usize, what: &str) -> Outcome<&'a [u8]> {
    if length == 0 {
        return Ok(&[]);
    }
    if bytes.is_null() || length > isize::MAX.unsigned_abs() {
        return Err(Error::argument(format_args!(
            "the {what} is null or too long"
        )));
    }
    // SAFETY: not null, not too long, and that many bytes: required of the caller.
    Ok(unsafe { std::slice::from_raw_parts(bytes, length) })
}

/// Writes a text with a zero at its end into a buffer of C, as much as fits.
///
/// # Safety
/// `buffer` is null or points to `capacity` bytes that may be written.
pub(crate) unsafe fn put_text(
    text: &str,
    buffer: *mut c_char,
    capacity: usize,
    length: Out<'_, usize>,
) -> Outcome {
    put_if(length, text.len());
    let capacity = if buffer.is_null() { 0 } else { capacity };
    // Without the zero. A character of several bytes is not cut in two.
    let mut fits = text.len().min(capacity.saturating_sub(1));
    while !text.is_char_boundary(fits) {
        fits -= 1;
    }
    if capacity > 0 {
        // SAFETY: `fits + 1 <= capacity` bytes are written to a buffer that is not
        // null; the text is the library's own, so the two do not overlap.
        unsafe {
            buffer.copy_from_nonoverlapping(text.as_ptr().cast(), fits);
            buffer.add(fits).write(0);
        }
    }
    if capacity > text.len() {
        return Ok(());
    }
    let needed = text.len() + 1;
    Err(Error::new(
        NbResult::ErrorBuffer,
        format_args!("the text needs {needed} bytes, and the buffer has {capacity}"),
    ))
}

/// A struct that C and this library may know different versions of. Later
/// versions add fields at the end; C says by `size`, or by the size of the
/// elements of a list, which one it was compiled for. Fields that C does not know have
/// their default.
///
/// # Safety
/// Implemented only for types with `repr(C)`, without padding bytes, of which
/// any bytes are a valid value.
pub(crate) unsafe trait Versioned: Copy + Default {
    /// The name in messages.
    const NAME: &'static str;
    /// The size of the first version.
    const FIRST: usize;
}

/// Whether `size` is that of a version of the struct. Calls that change something check
/// it first: what they did would be lost with an error.
pub(crate) fn check_size<T: Versioned>(size: usize) -> Outcome {
    // A size that is no multiple of the alignment would cut a pointer in two.
    if (T::FIRST..=4096).contains(&size) && size.is_multiple_of(align_of::<T>()) {
        return Ok(());
    }
    let (name, own) = (T::NAME, size_of::<T>());
    Err(Error::new(
        NbResult::ErrorSize,
        format_args!("{name}: its size is given as {size}; set it to sizeof({name}), here {own}"),
    ))
}

/// Reads and checks the size field, the first of a versioned struct.
///
/// # Safety
/// `at` is null or points to a struct that begins with its size.
pub(crate) unsafe fn size_of_struct<T: Versioned>(at: *const T) -> Outcome<usize> {
    if at.is_null() || !at.is_aligned() {
        let name = T::NAME;
        return Err(Error::argument(format_args!(
            "the pointer to {name} is null or not aligned"
        )));
    }
    // SAFETY: not null, aligned, and the first field is a u32.
    let size = unsafe { at.cast::<u32>().read() } as usize;
    check_size::<T>(size)?;
    Ok(size)
}

/// Reads a struct of any version.
///
/// # Safety
/// `at` is null or points to a struct that begins with its size, with so many
/// bytes.
pub(crate) unsafe fn read_struct<T: Versioned>(at: *const T) -> Outcome<T> {
    // SAFETY: required of the caller.
    let size = unsafe { size_of_struct(at) }?;
    let mut value = T::default();
    // SAFETY: both have at least that many bytes; `value` is a local; any bytes
    // are a valid `T`.
    unsafe {
        let to = std::ptr::from_mut(&mut value).cast::<u8>();
        to.copy_from_nonoverlapping(at.cast(), size.min(size_of::<T>()));
    }
    Ok(value)
}

/// Reads a list of C whose elements have a size of any version.
///
/// # Safety
/// `list` is null or points to `count` elements of `size` bytes.
pub(crate) unsafe fn read_list<T: Versioned>(
    list: *const T,
    count: usize,
    size: usize,
) -> Outcome<Vec<T>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    check_size::<T>(size)?;
    // SAFETY: that many bytes: required of the caller.
    let all = unsafe { bytes(list.cast(), count.saturating_mul(size), T::NAME) }?;
    let elements = all.chunks_exact(size).map(|element| {
        let mut value = T::default();
        // SAFETY: both have at least that many bytes; `value` is a local; any bytes are
        // a valid `T`.
        unsafe {
            let to = std::ptr::from_mut(&mut value).cast::<u8>();
            to.copy_from_nonoverlapping(element.as_ptr(), size.min(size_of::<T>()));
        }
        value
    });
    Ok(elements.collect())
}

/// Writes the part of a struct that C was compiled for, except the size.
///
/// # Safety
/// `at` is null or points to a struct that begins with its size, with so many
/// bytes that may be written.
pub(crate) unsafe fn write_struct<T: Versioned>(at: *mut T, value: &T) -> Outcome {
    // SAFETY: required of the caller.
    let size = unsafe { size_of_struct(at.cast_const()) }?;
    let skipped = size_of::<u32>();
    // SAFETY: both have at least `size` bytes, of which the first four stay; the
    // value is the library's own, so the two do not overlap.
    unsafe {
        let from = std::ptr::from_ref(value).cast::<u8>().add(skipped);
        let to = at.cast::<u8>().add(skipped);
        to.copy_from_nonoverlapping(from, size.min(size_of::<T>()) - skipped);
    }
    Ok(())
}

/// Writes a list into a buffer of C whose elements have a size of any version,
/// as many as fit.
///
/// # Safety
/// `buffer` is null or points to `capacity` elements of `size` bytes that may be
/// written.
pub(crate) unsafe fn put_list<T: Versioned>(
    list: impl Iterator<Item = T>,
    buffer: *mut T,
    capacity: usize,
    size: usize,
    count: Out<'_, usize>,
) -> Outcome {
    check_size::<T>(size)?;
    let capacity = if buffer.is_null() { 0 } else { capacity };
    let mut length = 0;
    for value in list {
        let i = length;
        length += 1;
        if i >= capacity {
            continue;
        }
        // SAFETY: `i < capacity`, so the element is inside the buffer and has
        // `size` bytes; the value is a local. Bytes need no alignment.
        unsafe {
            let from = std::ptr::from_ref(&value).cast::<u8>();
            let to = buffer.cast::<u8>().add(i * size);
            to.copy_from_nonoverlapping(from, size.min(size_of::<T>()));
        }
    }
    put_if(count, length);
    if length <= capacity {
        return Ok(());
    }
    Err(Error::new(
        NbResult::ErrorBuffer,
        format_args!("there are {length}, and the buffer has room for {capacity}"),
    ))
}

/// A position, a velocity or a size. Positions are world units, those of an
/// agent's feet: the bottom centre of its body. Velocities are units/s.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NbVec2 {
    /// To the right.
    pub x: f32,
    /// Down, unless the level was baked with `y_axis = "up"`.
    pub y: f32,
}

// SAFETY: repr(C), numbers of four bytes only. It never grows, so lists of it need no size.
unsafe impl Versioned for NbVec2 {
    const NAME: &'static str = "NbVec2";
    const FIRST: usize = 8;
}

// SAFETY: any bytes are a number.
unsafe impl Versioned for u32 {
    const NAME: &'static str = "uint32_t";
    const FIRST: usize = 4;
}

impl From<Vec2> for NbVec2 {
    fn from(at: Vec2) -> Self {
        Self { x: at.x, y: at.y }
    }
}

impl From<NbVec2> for Vec2 {
    fn from(at: NbVec2) -> Self {
        Self::new(at.x, at.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message() -> String {
        // SAFETY: a text of the library, valid until the next error.
        unsafe { CStr::from_ptr(nb_error_message()) }
            .to_str()
            .unwrap()
            .to_owned()
    }

    #[test]
    fn panics_become_errors_with_their_text() {
        let result = guard(|| panic!("seven is {}", 6));
        assert_eq!(result, NbResult::ErrorInternal);
        assert_eq!(message(), "a defect: seven is 6");
        let value = Shared::new(1);
        guard(|| {
            let _held = value.lock("thing")?;
            panic!("half done")
        });
        assert_eq!(
            value.lock("thing").unwrap_err().result,
            NbResult::ErrorInternal
        );
    }

    #[test]
    fn a_value_in_use_is_an_error() {
        let value = Shared::new(1);
        let held = value.lock("agent").unwrap();
        let error = value.lock("agent").unwrap_err();
        assert_eq!(error.result, NbResult::ErrorBusy);
        assert_eq!(error.message, "another call is using the agent");
        drop(held);
        assert!(value.lock("agent").is_ok());
    }

    #[test]
    fn texts_are_cut_at_characters_and_end_with_a_zero() {
        let mut length = MaybeUninit::new(9_usize);
        for (capacity, expected) in [(0, None), (1, Some("")), (3, Some("a")), (4, Some("aß"))] {
            let mut buffer = [1 as c_char; 4];
            // SAFETY: the buffer has at least `capacity` bytes.
            let result =
                unsafe { put_text("aß", buffer.as_mut_ptr(), capacity, Some(&mut length)) };
            assert_eq!(result.is_ok(), capacity == 4, "{capacity}");
            // SAFETY: written above.
            assert_eq!(unsafe { length.assume_init() }, 3);
            if let Some(expected) = expected {
                // SAFETY: `put_text` ended it with a zero.
                let text = unsafe { CStr::from_ptr(buffer.as_ptr()) };
                assert_eq!(text.to_str(), Ok(expected));
            }
            assert!(buffer[capacity..].iter().all(|&byte| byte == 1));
        }
    }

    #[repr(C)]
    #[derive(Debug, Clone, Copy, PartialEq)]
    struct Two {
        size: u32,
        a: f32,
        b: f32,
    }

    // SAFETY: repr(C), three fields of four bytes, numbers only.
    unsafe impl Versioned for Two {
        const NAME: &'static str = "Two";
        const FIRST: usize = 8;
    }

    impl Default for Two {
        fn default() -> Self {
            let (size, a, b) = (12, 0.0, 7.0);
            Self { size, a, b }
        }
    }

    #[test]
    fn structs_of_older_and_newer_versions_are_read_and_written() {
        let mut old = [8_u32, 1.0_f32.to_bits(), 99];
        let at = old.as_mut_ptr().cast::<Two>();
        // SAFETY: eight bytes, as its size says.
        let read = unsafe { read_struct(at.cast_const()) }.unwrap();
        assert_eq!(
            (read.a, read.b),
            (1.0, 7.0),
            "the new field has its default"
        );
        let value = Two {
            size: 12,
            a: 3.0,
            b: 4.0,
        };
        // SAFETY: as above.
        unsafe { write_struct(at, &value) }.unwrap();
        assert_eq!(old, [8, 3.0_f32.to_bits(), 99], "only what C knows");

        let mut new = [16_u32, 0, 0, 55];
        let at = new.as_mut_ptr().cast::<Two>();
        // SAFETY: sixteen bytes, as its size says.
        unsafe { write_struct(at, &value) }.unwrap();
        assert_eq!(new, [16, 3.0_f32.to_bits(), 4.0_f32.to_bits(), 55]);

        for size in [0, 4, 10, 5000] {
            let small = [size, 0, 0];
            // SAFETY: the size is refused before more than it is read.
            let result = unsafe { read_struct(small.as_ptr().cast::<Two>()) };
            assert_eq!(result.unwrap_err().result, NbResult::ErrorSize);
        }
        // SAFETY: null is allowed.
        let null = unsafe { read_struct(std::ptr::null::<Two>()) };
        assert_eq!(null.unwrap_err().result, NbResult::ErrorArgument);
    }

    #[test]
    fn lists_keep_the_step_of_the_caller() {
        let value = |a| Two { size: 12, a, b: a };
        let list = [value(1.0), value(2.0), value(3.0)];
        let mut buffer = [0_u32; 8];
        let mut count = MaybeUninit::new(0_usize);
        // SAFETY: two elements of sixteen bytes.
        let result = unsafe {
            let at = buffer.as_mut_ptr().cast::<Two>();
            put_list(list.into_iter(), at, 2, 16, Some(&mut count))
        };
        assert_eq!(result.unwrap_err().result, NbResult::ErrorBuffer);
        // SAFETY: written above.
        assert_eq!(unsafe { count.assume_init() }, 3);
        let [one, two] = [1.0_f32, 2.0].map(f32::to_bits);
        assert_eq!(buffer, [12, one, one, 0, 12, two, two, 0]);
    }
}
