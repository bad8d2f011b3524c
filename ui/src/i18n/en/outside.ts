import { messages } from "../messages";

export const outside = messages({
    "outside.reveal": "Show in the file manager",
    "outside.edit": "Open in an outside editor",
    "outside.show": "Outside editor…",
    "outside.title": "Outside editor",
    "outside.text": "The program that opens files and skills outside of this window. It gets the path as one argument, without a shell.",
    "outside.command": "Command",
    "outside.hint":
        "A program's name or whole path, and its arguments. {path} stands for the file or the folder; without it the path comes last.",
    "outside.found": "Found on this machine",
    "outside.none": "None of the usual editors was found on this machine.",
    "outside.keep": "Save",
    "outside.open": "Save and open",
});
