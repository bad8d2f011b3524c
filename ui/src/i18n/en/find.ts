/** A text in all files of all skills. */
import { messages } from "../messages";

export const find = messages({
    "find.title": "Find in all skills",
    "find.show": "Find in all skills…",
    "find.label": "Text in any file of any skill",
    "find.matchCase": "Match case",
    "find.wholeWords": "Whole words",
    "find.regex": "Regular expression",
    "find.count": "Places: {n}. Files: {files}",
    "find.more": "The first {n} places. Narrow the search down to see others.",
    "find.moreInFile": "the first {n} places of this file",
    "find.looked": "Searched {n} of {of} files…",
    "find.tooLarge": "Not searched, larger than {most} MiB: {n} {n|file|files}",
    "find.begin": "Type what to look for",
    "find.beginText": "In SKILL.md, references, scripts and every other text file. Unsaved text is searched too.",
    "find.none": "Nothing found",
    "find.noneText": "None of {n} files contains it.",
    "find.places": "Places",
    "find.unsaved": "unsaved text",
    "find.next": "Next place that was found",
    "find.previous": "Previous place that was found",
});
