/** A file with two skills, one of which sends keys away: what the real workbench says of it (`tests/it/page_answers.rs` packs it). */
import type { PackageLook } from "../../generated/api";
import text from "./answers/package.json?raw";

/** Whatever path a dialog gives. */
export function lookOf(): PackageLook {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- the api wrote it by the same type
    const look: PackageLook = JSON.parse(text);
    return look;
}
