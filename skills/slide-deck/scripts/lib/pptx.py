"""Writes slides as a .pptx package: one master, three layouts, a theme, and the slides.

The same slides always give the same bytes: entries carry no time, and nothing is random.
"""

from __future__ import annotations

import enum
import io
import re
import zipfile
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

# Slides are 16:9, 13.333 by 7.5 inches; lengths are in EMU, 914,400 to the inch.
WIDTH, HEIGHT = 12192000, 6858000
MARGIN = 838200

DARK, GREY, PAPER = "1D2230", "667085", "FFFFFF"

NAMESPACES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
CORE = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
CONTENT = "application/vnd.openxmlformats-officedocument.presentationml"


class Layout(enum.Enum):
    """The value is the number of the layout's part."""

    TITLE = 1
    SECTION = 2
    CONTENT = 3


@dataclass
class Line:
    text: str
    level: int
    bullet: bool


@dataclass
class Slide:
    layout: Layout
    title: str
    lines: list[Line] = field(default_factory=list)


def package(slides: list[Slide], accent: str) -> bytes:
    """The file. `accent` is six hexadecimal digits."""
    numbers = range(1, len(slides) + 1)
    parts = {
        "[Content_Types].xml": content_types(numbers),
        "_rels/.rels": relations([(f"{OFFICE}/officeDocument", "ppt/presentation.xml"), (CORE, "docProps/core.xml")]),
        "docProps/core.xml": core_properties(plain(slides[0].title)),
        "ppt/presentation.xml": presentation(numbers),
        "ppt/_rels/presentation.xml.rels": relations(
            [(f"{OFFICE}/slideMaster", "slideMasters/slideMaster1.xml"), (f"{OFFICE}/theme", "theme/theme1.xml")]
            + [(f"{OFFICE}/slide", f"slides/slide{number}.xml") for number in numbers]
        ),
        "ppt/theme/theme1.xml": theme(accent),
        "ppt/slideMasters/slideMaster1.xml": master(),
        "ppt/slideMasters/_rels/slideMaster1.xml.rels": relations(
            [(f"{OFFICE}/slideLayout", f"../slideLayouts/slideLayout{layout.value}.xml") for layout in Layout]
            + [(f"{OFFICE}/theme", "../theme/theme1.xml")]
        ),
    }
    for layout in Layout:
        parts[f"ppt/slideLayouts/slideLayout{layout.value}.xml"] = LAYOUTS[layout]()
        parts[f"ppt/slideLayouts/_rels/slideLayout{layout.value}.xml.rels"] = relations(
            [(f"{OFFICE}/slideMaster", "../slideMasters/slideMaster1.xml")]
        )
    for number, slide in zip(numbers, slides):
        parts[f"ppt/slides/slide{number}.xml"] = slide_part(slide, number)
        parts[f"ppt/slides/_rels/slide{number}.xml.rels"] = relations(
            [(f"{OFFICE}/slideLayout", f"../slideLayouts/slideLayout{slide.layout.value}.xml")]
        )
    return zipped(parts)


def plain(text: str) -> str:
    """The text without its marks for bold and code."""
    return MARK.sub(lambda mark: mark["bold"] or mark["code"], text)


MARK = re.compile(r"\*\*(?P<bold>.+?)\*\*|`(?P<code>.+?)`")
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # what XML cannot hold


def zipped(parts: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as deck:
        for name, text in parts.items():
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            deck.writestr(entry, f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{text}'.encode())
    return out.getvalue()


def content_types(numbers: range) -> str:
    typed = {
        "/docProps/core.xml": "application/vnd.openxmlformats-package.core-properties+xml",
        "/ppt/presentation.xml": f"{CONTENT}.presentation.main+xml",
        "/ppt/theme/theme1.xml": "application/vnd.openxmlformats-officedocument.theme+xml",
        "/ppt/slideMasters/slideMaster1.xml": f"{CONTENT}.slideMaster+xml",
        **{f"/ppt/slideLayouts/slideLayout{layout.value}.xml": f"{CONTENT}.slideLayout+xml" for layout in Layout},
        **{f"/ppt/slides/slide{number}.xml": f"{CONTENT}.slide+xml" for number in numbers},
    }
    overrides = "".join(f'<Override PartName="{part}" ContentType="{kind}"/>' for part, kind in typed.items())
    return (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{overrides}</Types>'
    )


def relations(targets: list[tuple[str, str]]) -> str:
    entries = "".join(
        f'<Relationship Id="rId{number}" Type="{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, start=1)
    )
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{entries}</Relationships>'
    )


def core_properties(title: str) -> str:
    return (
        '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{text_of(title)}</dc:title></cp:coreProperties>'
    )


def presentation(numbers: range) -> str:
    ids = "".join(f'<p:sldId id="{255 + number}" r:id="rId{2 + number}"/>' for number in numbers)
    return (
        f"<p:presentation {NAMESPACES}>"
        '<p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst>'
        f"<p:sldIdLst>{ids}</p:sldIdLst>"
        f'<p:sldSz cx="{WIDTH}" cy="{HEIGHT}"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>'
    )


def theme(accent: str) -> str:
    colours = {"dk1": DARK, "lt1": PAPER, "dk2": "323A4D", "lt2": "EEF0F4", "accent1": accent, "accent2": "2A9D8F"}
    colours |= {"accent3": "E9A23B", "accent4": "D1495B", "accent5": "7A8299", "accent6": "3D7EA6"}
    colours |= {"hlink": accent, "folHlink": GREY}
    scheme = "".join(f'<a:{name}><a:srgbClr val="{value}"/></a:{name}>' for name, value in colours.items())
    fonts = (
        '<a:latin typeface="Calibri"/><a:ea typeface=""/><a:cs typeface=""/>'
        '<a:font script="Hans" typeface="Microsoft YaHei"/><a:font script="Hant" typeface="Microsoft JhengHei"/>'
        '<a:font script="Jpan" typeface="Yu Gothic"/><a:font script="Hang" typeface="Malgun Gothic"/>'
    )
    fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
    line = f'<a:ln w="9525">{fill}</a:ln>'
    effect = "<a:effectStyle><a:effectLst/></a:effectStyle>"
    return (
        f'<a:theme {NAMESPACES} name="Slide deck"><a:themeElements><a:clrScheme name="Slide deck">{scheme}</a:clrScheme>'
        f'<a:fontScheme name="Slide deck"><a:majorFont>{fonts}</a:majorFont>'
        f"<a:minorFont>{fonts}</a:minorFont></a:fontScheme>"
        f'<a:fmtScheme name="Slide deck"><a:fillStyleLst>{fill * 3}</a:fillStyleLst>'
        f"<a:lnStyleLst>{line * 3}</a:lnStyleLst>"
        f"<a:effectStyleLst>{effect * 3}</a:effectStyleLst><a:bgFillStyleLst>{fill * 3}</a:bgFillStyleLst></a:fmtScheme>"
        "</a:themeElements></a:theme>"
    )


def master() -> str:
    body_levels = "".join(
        level_style(number, size, colour)
        for number, (size, colour) in enumerate([(2400, "tx1"), (2000, "tx2"), (1800, "tx2")], 1)
    )
    shapes = (
        placeholder(2, "Title", TITLE_PLACE, TITLE_BOX, anchor="b")
        + placeholder(3, "Body", BODY_PLACE, BODY_BOX, fit=True)
        + number_place(4, "accent5")
    )
    layouts = "".join(
        f'<p:sldLayoutId id="{2147483648 + layout.value}" r:id="rId{layout.value}"/>' for layout in Layout
    )
    colour_map = " ".join(f'{name}="{name}"' for name in [*(f"accent{n}" for n in range(1, 7)), "hlink", "folHlink"])
    return (
        f"<p:sldMaster {NAMESPACES}><p:cSld>{background('bg1')}{tree(shapes)}</p:cSld>"
        f'<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" {colour_map}/>'
        f"<p:sldLayoutIdLst>{layouts}</p:sldLayoutIdLst>"
        f"<p:txStyles><p:titleStyle>{title_style(3200, 'tx1')}</p:titleStyle>"
        f"<p:bodyStyle>{body_levels}</p:bodyStyle>"
        "<p:otherStyle><a:defPPr/></p:otherStyle></p:txStyles></p:sldMaster>"
    )


def title_layout() -> str:
    shapes = (
        bar(2, MARGIN, 3810000, 914400, 76200, "accent1")
        + placeholder(3, "Title", COVER_PLACE, COVER_TITLE_BOX, "b", title_style(4800, "bg1"))
        + placeholder(4, "Subtitle", SUBTITLE_PLACE, COVER_TEXT_BOX, "t", unbulleted(2200, "bg2"))
    )
    return layout("Title slide", "title", "tx1", shapes)


def section_layout() -> str:
    shapes = (
        placeholder(2, "Title", TITLE_PLACE, SECTION_TITLE_BOX, "b", title_style(4000, "bg1"))
        + placeholder(3, "Subtitle", BODY_PLACE, SECTION_TEXT_BOX, "t", unbulleted(2000, "bg1"))
        + number_place(4, "bg1")
    )
    return layout("Section", "secHead", "accent1", shapes)


def content_layout() -> str:
    shapes = (
        bar(2, MARGIN, 1420000, 914400, 57150, "accent1")
        + placeholder(3, "Title", TITLE_PLACE, TITLE_BOX, "b")
        + placeholder(4, "Body", BODY_PLACE, BODY_BOX, fit=True)
        + number_place(5, "accent5")
    )
    return layout("Title and content", "obj", None, shapes)


LAYOUTS = {Layout.TITLE: title_layout, Layout.SECTION: section_layout, Layout.CONTENT: content_layout}

# Kinds of placeholder. A slide's placeholder takes its place and style from the one of the same kind in its layout.
COVER_PLACE, TITLE_PLACE = 'type="ctrTitle"', 'type="title"'
SUBTITLE_PLACE, BODY_PLACE = 'type="subTitle" idx="1"', 'type="body" idx="1"'
NUMBER_PLACE = 'type="sldNum" sz="quarter" idx="12"'

Box = tuple[int, int, int, int]  # left, top, width, height
LINE = WIDTH - 2 * MARGIN
COVER_TITLE_BOX, COVER_TEXT_BOX = (MARGIN, 1700000, LINE, 1950000), (MARGIN, 4060000, LINE, 1200000)
SECTION_TITLE_BOX, SECTION_TEXT_BOX = (MARGIN, 2000000, LINE, 1500000), (MARGIN, 3600000, LINE, 1200000)
TITLE_BOX, BODY_BOX = (MARGIN, 420000, LINE, 920000), (MARGIN, 1720000, LINE, 4300000)
NUMBER_BOX = (WIDTH - MARGIN - 914400, 6300000, 914400, 300000)


def layout(name: str, kind: str, ground: str | None, shapes: str) -> str:
    return (
        f'<p:sldLayout {NAMESPACES} type="{kind}" preserve="1">'
        f'<p:cSld name="{name}">{background(ground) if ground else ""}{tree(shapes)}</p:cSld>'
        "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>"
    )


def slide_part(slide: Slide, number: int) -> str:
    cover = slide.layout is Layout.TITLE
    shapes = filled(2, "Title", COVER_PLACE if cover else TITLE_PLACE, f"<a:p>{runs(slide.title)}</a:p>")
    if slide.lines:
        paragraphs = "".join(paragraph(line, slide.layout) for line in slide.lines)
        shapes += filled(3, "Text", SUBTITLE_PLACE if cover else BODY_PLACE, paragraphs)
    if not cover:
        shapes += filled(4, "Slide number", NUMBER_PLACE, slide_number(str(number)))
    return (
        f"<p:sld {NAMESPACES}><p:cSld>{tree(shapes)}</p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>"
    )


def paragraph(line: Line, layout: Layout) -> str:
    if layout is Layout.CONTENT and not line.bullet:
        properties = '<a:pPr marL="0" indent="0"><a:buNone/></a:pPr>'
    else:
        properties = f'<a:pPr lvl="{line.level}"/>' if line.level else ""
    return f"<a:p>{properties}{runs(line.text)}</a:p>"


def runs(text: str) -> str:
    pieces, end = [], 0
    for mark in MARK.finditer(text):
        pieces.append(run(text[end : mark.start()]))
        pieces.append(
            run(mark["bold"], ' b="1"') if mark["bold"] else run(mark["code"], fonts='<a:latin typeface="Consolas"/>')
        )
        end = mark.end()
    return "".join([*pieces, run(text[end:])])


def run(text: str, attributes: str = "", fonts: str = "") -> str:
    properties = f'<a:rPr lang="{language(text)}"{attributes}>{fonts}</a:rPr>'
    return f"<a:r>{properties}<a:t>{text_of(text)}</a:t></a:r>" if text else ""


def language(text: str) -> str:
    """What the spelling checker and the choice of font go by."""
    if re.search("[\u3040-\u30ff]", text):
        return "ja-JP"
    if re.search("[\uac00-\ud7af]", text):
        return "ko-KR"
    return "zh-CN" if re.search("[\u3400-\u9fff]", text) else "en-US"


def text_of(text: str) -> str:
    return escape(UNPRINTABLE.sub("", text))


def slide_number(shown: str) -> str:
    """A field: programs put the real number in place of what is shown."""
    field_id = "{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}"
    return f'<a:p><a:fld id="{field_id}" type="slidenum"><a:rPr lang="en-US"/><a:t>{shown}</a:t></a:fld></a:p>'


def filled(number: int, name: str, place: str, paragraphs: str) -> str:
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{name}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>'
        f"<p:nvPr><p:ph {place}/></p:nvPr></p:nvSpPr><p:spPr/>"
        f"<p:txBody><a:bodyPr/><a:lstStyle/>{paragraphs}</p:txBody></p:sp>"
    )


def placeholder(
    number: int, name: str, place: str, box: Box, anchor: str = "t", style: str = "", fit: bool = False
) -> str:
    left, top, width, height = box
    prompt = (
        slide_number("‹#›")
        if place == NUMBER_PLACE
        else f'<a:p><a:r><a:rPr lang="en-US"/><a:t>{name}</a:t></a:r></a:p>'
    )
    shrink = "<a:normAutofit/>" if fit else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{name}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>'
        f"<p:nvPr><p:ph {place}/></p:nvPr></p:nvSpPr>"
        f'<p:spPr><a:xfrm><a:off x="{left}" y="{top}"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>'
        f'<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>'
        f'<p:txBody><a:bodyPr lIns="0" tIns="0" rIns="0" bIns="0" anchor="{anchor}">{shrink}</a:bodyPr>'
        f"<a:lstStyle>{style}</a:lstStyle>{prompt}</p:txBody></p:sp>"
    )


def number_place(number: int, colour: str) -> str:
    style = (
        f'<a:lvl1pPr algn="r"><a:defRPr sz="1200">{solid(colour)}<a:latin typeface="+mn-lt"/></a:defRPr></a:lvl1pPr>'
    )
    return placeholder(number, "Slide number", NUMBER_PLACE, NUMBER_BOX, "ctr", style)


def bar(number: int, left: int, top: int, width: int, height: int, colour: str) -> str:
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="Accent"/><p:cNvSpPr/><p:nvPr userDrawn="1"/></p:nvSpPr>'
        f'<p:spPr><a:xfrm><a:off x="{left}" y="{top}"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>'
        f'<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>{solid(colour)}<a:ln><a:noFill/></a:ln></p:spPr></p:sp>'
    )


def title_style(size: int, colour: str) -> str:
    fonts = '<a:latin typeface="+mj-lt"/><a:ea typeface="+mj-ea"/><a:cs typeface="+mj-cs"/>'
    return (
        '<a:lvl1pPr algn="l"><a:lnSpc><a:spcPct val="95000"/></a:lnSpc><a:buNone/>'
        f'<a:defRPr sz="{size}" b="1" kern="1200">{solid(colour)}{fonts}</a:defRPr></a:lvl1pPr>'
    )


def level_style(level: int, size: int, colour: str) -> str:
    fonts = '<a:latin typeface="+mn-lt"/><a:ea typeface="+mn-ea"/><a:cs typeface="+mn-cs"/>'
    return (
        f'<a:lvl{level}pPr marL="{342900 * level}" indent="-285750" algn="l">'
        f'<a:spcBef><a:spcPts val="{1400 if level == 1 else 700}"/></a:spcBef>'
        '<a:buClr><a:schemeClr val="accent1"/></a:buClr><a:buFont typeface="Arial"/><a:buChar char="•"/>'
        f'<a:defRPr sz="{size}" kern="1200">{solid(colour)}{fonts}</a:defRPr></a:lvl{level}pPr>'
    )


def unbulleted(size: int, colour: str) -> str:
    return "".join(
        f'<a:lvl{level}pPr marL="0" indent="0" algn="l"><a:buNone/>'
        f'<a:defRPr sz="{size}">{solid(colour)}</a:defRPr></a:lvl{level}pPr>'
        for level in (1, 2, 3)
    )


def solid(colour: str) -> str:
    return f'<a:solidFill><a:schemeClr val="{colour}"/></a:solidFill>'


def background(colour: str) -> str:
    return f"<p:bg><p:bgPr>{solid(colour)}<a:effectLst/></p:bgPr></p:bg>"


def tree(shapes: str) -> str:
    return (
        '<p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
        '<p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/>'
        '<a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>'
        f"{shapes}</p:spTree>"
    )
