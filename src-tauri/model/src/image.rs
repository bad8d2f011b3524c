//! Pictures in prompts and in tools' results, in the formats that every protocol here takes.

use aws_smithy_types::base64;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wording::{Message, message};

/// Bytes of one picture: the least that a provider takes, which is Amazon Bedrock.
/// Source: <https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-call.html>
pub const IMAGE_BYTES: usize = 3_750_000;

/// Pictures in one message of the user: as many as Amazon Bedrock takes in a message.
pub const IMAGES: usize = 20;

/// The kinds that OpenAI, Anthropic and Amazon Bedrock all take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
pub enum ImageKind {
    #[serde(rename = "image/png")]
    Png,
    #[serde(rename = "image/jpeg")]
    Jpeg,
    #[serde(rename = "image/gif")]
    Gif,
    #[serde(rename = "image/webp")]
    Webp,
}

impl ImageKind {
    const ALL: [Self; 4] = [Self::Png, Self::Jpeg, Self::Gif, Self::Webp];

    /// By what a file begins with, whatever its name is.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(Self::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Self::Gif),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::Webp),
            _ => None,
        }
    }

    /// As MIME names it.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
        }
    }

    /// `None`: an image of another kind, or none.
    pub fn of_media_type(media_type: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.media_type() == media_type)
    }

    /// As Bedrock names it.
    pub fn format(self) -> &'static str {
        self.media_type().trim_start_matches("image/")
    }
}

/// A picture, as it goes over the wire.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    pub media_type: ImageKind,
    /// Base64, as it goes over the wire.
    pub data: String,
}

/// Why a file cannot be sent as a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    /// Neither PNG, JPEG, GIF nor WebP.
    NoImage,
    TooLong,
}

impl Unfit {
    /// The words that follow the file's name in a message.
    pub fn worded(self) -> Message {
        let most = IMAGE_BYTES / 1000;
        match self {
            Self::NoImage => {
                message!("it is not a PNG, JPEG, GIF or WebP image", "它不是 PNG、JPEG、GIF 或 WebP 图片")
            }
            Self::TooLong => message!("it has more than {most} kB", "它超过 {most} kB"),
        }
    }
}

impl Image {
    /// The first bytes decide the kind, whatever the file is called. An error for other kinds, and for more than
    /// [`IMAGE_BYTES`].
    pub fn of(bytes: &[u8]) -> Result<Self, Unfit> {
        let media_type = ImageKind::of(bytes).ok_or(Unfit::NoImage)?;
        if bytes.len() > IMAGE_BYTES {
            return Err(Unfit::TooLong);
        }
        Ok(Self { media_type, data: base64::encode(bytes) })
    }

    /// Checks a picture that somebody else encoded, as a file is checked.
    pub fn checked(self) -> Result<Self, Unfit> {
        // Four characters are three bytes.
        if self.data.len() / 4 * 3 > IMAGE_BYTES + 3 {
            return Err(Unfit::TooLong);
        }
        Self::of(&base64::decode(&self.data).map_err(|_| Unfit::NoImage)?)
    }

    /// `data:image/png;base64,…`
    pub fn data_url(&self) -> String {
        format!("data:{};base64,{}", self.media_type.media_type(), self.data)
    }

    /// `None` for addresses, and for kinds that are not shown.
    pub fn of_data_url(url: &str) -> Option<Self> {
        let (media_type, data) = url.strip_prefix("data:")?.split_once(";base64,")?;
        Some(Self { media_type: ImageKind::of_media_type(media_type)?, data: data.to_owned() })
    }

    /// The file that it was made of; `None` if the data is not Base64.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        base64::decode(&self.data).ok()
    }

    /// Bytes of the picture.
    pub fn size(&self) -> usize {
        let filled = self.data.bytes().rev().take_while(|byte| *byte == b'=').count();
        (self.data.len() / 4 * 3).saturating_sub(filled)
    }

    /// Width and height in pixels, if its head says them.
    pub fn pixels(&self) -> Option<(u32, u32)> {
        let head = self.data.get(..self.data.len().min(HEAD))?;
        let bytes = base64::decode(head).ok()?;
        let (width, height) = match self.media_type {
            ImageKind::Png => (big(&bytes, 16, 4)?, big(&bytes, 20, 4)?),
            ImageKind::Gif => (little(&bytes, 6, 2)?, little(&bytes, 8, 2)?),
            ImageKind::Jpeg => of_jpeg(&bytes)?,
            ImageKind::Webp => of_webp(&bytes)?,
        };
        (width > 0 && height > 0).then_some((width, height))
    }

    /// About as many tokens as a provider counts for it: as Anthropic says, one for 750 pixels, and no more than for
    /// the size to which larger pictures are scaled down. Source:
    /// <https://platform.claude.com/docs/en/build-with-claude/vision>
    pub fn tokens(&self) -> u32 {
        let Some((width, height)) = self.pixels() else { return MOST_TOKENS };
        let tokens = (u64::from(width) * u64::from(height)).div_ceil(750);
        u32::try_from(tokens).unwrap_or(MOST_TOKENS).min(MOST_TOKENS)
    }

    /// Tells it from others.
    pub fn digest(&self) -> String {
        format!("{:08x}", crc32fast::hash(self.data.as_bytes()))
    }

    /// `PNG, 640 × 480, 12 kB`: shown where the picture itself cannot be.
    pub fn described(&self) -> String {
        let kind = self.media_type.format().to_ascii_uppercase();
        let pixels = self.pixels().map_or_else(String::new, |(width, height)| format!(", {width} × {height}"));
        format!("{kind}{pixels}, {} kB", self.size().div_ceil(1000))
    }
}

/// How many characters of Base64 are searched for the size; a multiple of four.
const HEAD: usize = 256 << 10;
const MOST_TOKENS: u32 = 1600;

fn little(bytes: &[u8], at: usize, length: usize) -> Option<u32> {
    Some(bytes.get(at..at + length)?.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

fn big(bytes: &[u8], at: usize, length: usize) -> Option<u32> {
    Some(bytes.get(at..at + length)?.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

/// The first frame says it; the segments before it say how long they are.
fn of_jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        let [0xff, marker] = bytes.get(at..at + 2)? else { return None };
        match marker {
            0xff => at += 1,
            0xc4 | 0xc8 | 0xcc => at += 2 + big(bytes, at + 2, 2)? as usize,
            0xc0..=0xcf => return Some((big(bytes, at + 7, 2)?, big(bytes, at + 5, 2)?)),
            0x01 | 0xd0..=0xd8 => at += 2,
            0xd9 | 0xda => return None,
            _ => at += 2 + big(bytes, at + 2, 2)? as usize,
        }
    }
}

fn of_webp(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes.get(12..16)? {
        b"VP8X" => Some((little(bytes, 24, 3)? + 1, little(bytes, 27, 3)? + 1)),
        b"VP8L" => {
            let both = little(bytes, 21, 4)?;
            Some(((both & 0x3fff) + 1, (both >> 14 & 0x3fff) + 1))
        }
        b"VP8 " => Some((little(bytes, 26, 2)? & 0x3fff, little(bytes, 28, 2)? & 0x3fff)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As much of a PNG as says how large it is.
    fn png(width: u32, height: u32) -> Vec<u8> {
        let head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
        [&head[..], &width.to_be_bytes(), &height.to_be_bytes(), &[8, 6, 0, 0, 0]].concat()
    }

    fn webp(chunk: &[u8; 4], rest: &[u8]) -> Vec<u8> {
        [b"RIFF\0\0\0\0WEBP", &chunk[..], &[0; 4], rest].concat()
    }

    #[test]
    fn tells_kind_and_size_by_the_bytes() {
        let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc4\0\x02\xff\xc2\0\x11\x08\x01\xe0\x02\x80\x03";
        let all = [
            (png(640, 480), ImageKind::Png, Some((640, 480))),
            (jpeg.to_vec(), ImageKind::Jpeg, Some((640, 480))),
            (b"\xff\xd8\xff\xd9".to_vec(), ImageKind::Jpeg, None),
            (b"GIF89a\x80\x02\xe0\x01".to_vec(), ImageKind::Gif, Some((640, 480))),
            (webp(b"VP8X", b"\0\0\0\0\x7f\x02\0\xdf\x01\0"), ImageKind::Webp, Some((640, 480))),
            (webp(b"VP8L", b"\x2f\x7f\xc2\x77\0"), ImageKind::Webp, Some((640, 480))),
            (webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a\x80\x02\xe0\x01"), ImageKind::Webp, Some((640, 480))),
            (webp(b"VP8 ", b""), ImageKind::Webp, None),
            (png(0, 480), ImageKind::Png, None),
        ];
        for (bytes, kind, pixels) in all {
            let image = Image::of(&bytes).unwrap();
            assert_eq!((image.media_type, image.pixels(), image.size()), (kind, pixels, bytes.len()));
            assert_eq!(Image::of_data_url(&image.data_url()), Some(image.clone()));
            assert_eq!(image.bytes(), Some(bytes));
            assert_eq!(image.clone().checked(), Ok(image));
        }
    }

    #[test]
    fn what_is_no_picture_or_too_long_is_refused() {
        assert_eq!(Image::of(b"<svg/>"), Err(Unfit::NoImage));
        let long = [png(1, 1), vec![0; IMAGE_BYTES]].concat();
        assert_eq!(Image::of(&long), Err(Unfit::TooLong));
        let image = |data: &str| Image { media_type: ImageKind::Png, data: data.into() };
        assert_eq!(image("not Base64").checked(), Err(Unfit::NoImage));
        assert_eq!(image("not Base64").bytes(), None);
        assert_eq!(image(&"A".repeat(IMAGE_BYTES / 3 * 4 + 16)).checked(), Err(Unfit::TooLong));
        let called_gif = Image { media_type: ImageKind::Gif, ..Image::of(&png(1, 1)).unwrap() };
        assert_eq!(called_gif.checked().unwrap().media_type, ImageKind::Png, "by its bytes");
        for url in ["https://example.com/a.png", "data:image/svg+xml;base64,AAAA", "data:image/png,AAAA"] {
            assert_eq!(Image::of_data_url(url), None);
        }
    }

    #[test]
    fn counts_about_what_a_provider_counts() {
        let tokens = [(200, 200), (1000, 1000), (4000, 4000), (0, 1)].map(|(width, height)| {
            let image = Image::of(&png(width, height)).unwrap();
            image.tokens()
        });
        assert_eq!(tokens, [54, 1334, 1600, 1600]);
        assert_eq!(Image::of(&png(640, 480)).unwrap().described(), "PNG, 640 × 480, 1 kB");
    }

    #[test]
    fn is_written_as_providers_name_it() {
        let image = Image::of(&png(1, 1)).unwrap();
        let written = serde_json::to_value(&image).unwrap();
        assert_eq!(written, serde_json::json!({"mediaType": "image/png", "data": image.data}));
        assert_eq!(ImageKind::ALL.map(ImageKind::format), ["png", "jpeg", "gif", "webp"]);
    }
}
