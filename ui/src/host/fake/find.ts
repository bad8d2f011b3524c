/** Where a text is in the sample's skills, and which mentions follow a file that gets another name. */
import type { Commands, FoundFile, FoundPlace, FoundTexts, Mention } from "../../generated/api";
import type { Disk } from "./disk";
import { failure } from "./failure";
import { range } from "./range";

export function textsWith(disk: Disk, { text, matchCase, wholeWords, regex, unsaved }: Commands["text_find"]["args"]): FoundTexts {
    const drafts = new Set(unsaved.map(({ path }) => path));
    const texts = [...disk.open(unsaved)].filter(([path]) => /\.(md|py|json)$/.test(path)).sort(([a], [b]) => (a < b ? -1 : 1));
    const pattern = expression(regex ? text : escaped(text), matchCase, wholeWords);
    const files = texts.flatMap(([path, whole]): FoundFile[] => {
        const skill = disk.list().skills.find(({ id }) => path.startsWith(`${id}/`));
        const places = [...whole.matchAll(pattern)].map((match) => placeOf(whole, match.index, match.index + match[0].length));
        return skill === undefined || places.length === 0
            ? []
            : [
                  {
                      skill: skill.id,
                      skillName: skill.name,
                      path,
                      name: path.slice(skill.id.length + 1),
                      unsaved: drafts.has(path),
                      places,
                      more: false,
                  },
              ];
    });
    return { files, looked: texts.length, of: texts.length, tooLarge: [], textLimit: 4 << 20, next: null };
}

export function mentionsOf(disk: Disk, { from, to, unsaved }: Commands["file_mentions"]["args"]): Mention[] {
    const skill = disk.skillOf(from);
    if (skill === null) {
        return [];
    }
    const [name, then] = [from.slice(skill.length + 1), to.slice(skill.length + 1)];
    const texts = [...disk.open(unsaved)].filter(([path]) => path.startsWith(`${skill}/`) && path.endsWith(".md"));
    return texts.flatMap(([path, text]) =>
        [...text.matchAll(new RegExp(escaped(name), "g"))].map(({ index }) => ({
            path,
            place: placeOf(text, index, index + name.length),
            text: then,
        })),
    );
}

function expression(source: string, matchCase: boolean, wholeWords: boolean): RegExp {
    try {
        return new RegExp(wholeWords ? `\\b(?:${source})\\b` : source, matchCase ? "gm" : "gim");
    } catch {
        throw failure({
            code: "invalid",
            message: "the expression is not valid: unclosed group",
            hint: "correct it, or look for the text as it stands",
            path: null,
            why: null,
        });
    }
}

function placeOf(text: string, from: number, to: number): FoundPlace {
    const start = text.lastIndexOf("\n", from - 1) + 1;
    const end = text.indexOf("\n", to);
    const [before, after] = [text.slice(start, from).trimStart(), text.slice(to, end < 0 ? undefined : end)];
    return { range: range(text, from, to), before, text: text.slice(from, to), after };
}

function escaped(text: string): string {
    return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
