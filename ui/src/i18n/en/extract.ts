/** The selection becomes a separate file. */
import { messages } from "../messages";

export const extract = messages({
    "extract.show": "Extract the selection into a reference file…",
    "extract.title": "Extract into a reference file",
    "extract.text": "The selected lines move into a new file, and a link to it takes their place. Relative links in them are adjusted.",
    "extract.go": "Extract",
    "extract.ending": "The name must end in .md.",
    "extract.nothing": "Select the lines to extract first.",
    "extract.onlyMarkdown": "Lines can be extracted from the Markdown files of a skill only.",
    "extract.changed": "The text has changed since; select the lines again.",
    "extract.done": "Moved to {name}.",
});
