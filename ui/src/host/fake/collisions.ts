/** Which sample skills share words. */
import type { Collisions, Commands, SharedWord, SkillSummary } from "../../generated/api";
import type { Disk } from "./disk";

const EMPTY = new Set("a and the to for of in or use when asked user with is why".split(" "));

export function collisionsIn(disk: Disk, { request, without }: Commands["collisions"]["args"]): Collisions {
    const skills = disk.list().skills.filter((skill) => skill.description !== "" && !without.includes(skill.name));
    const count = (word: string): number => skills.filter((skill) => words(skill.description).has(word)).length;
    const shared = (a: Set<string>, b: Set<string>): SharedWord[] =>
        [...a]
            .filter((word) => b.has(word))
            .map((word) => ({ word, skills: count(word) }))
            .sort((one, other) => one.skills - other.skills);
    const named = ({ id, name, description }: SkillSummary) => ({ id, name, description });
    const pairs = skills.flatMap((a, at) =>
        skills.slice(at + 1).flatMap((b) => {
            const [mine, theirs] = [words(a.description), words(b.description)];
            const both = shared(mine, theirs);
            const share = both.length / (mine.size + theirs.size - both.length);
            return share < 0.2 ? [] : [{ a: named(a), b: named(b), share, close: share >= 0.7, words: both, queries: [] }];
        }),
    );
    const asked = skills
        .map((skill) => ({ skill: named(skill), words: shared(words(request ?? ""), words(`${skill.name} ${skill.description}`)) }))
        .filter((found) => found.words.length > 0)
        .sort((a, b) => b.words.length - a.words.length);
    return { skills: skills.length, pairs: pairs.sort((a, b) => b.share - a.share), more: false, asked };
}

function words(text: string): Set<string> {
    const found = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    return new Set(found.filter((word) => !EMPTY.has(word)));
}
