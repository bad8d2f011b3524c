/** The fake in a plain browser: `?fake&place=run&lang=zh-CN&theme=dark&zoom=150&bundled&outside`; `bundled` leaves the other folder out, with `outside` there is something to trust; `many=2000` opens so many skills, `steps=45000&runs=1000` a run of so many steps and so many others; `stream=200&seconds=60` lets a run answer with so many tokens a second. */
import { setHost } from "..";
import { fakeHost } from ".";
import { installLong } from "./long";
import { installMany } from "./many";
import { installStream } from "./stream";
import { app, PLACES } from "../../state/app.svelte";

export function installFake(): void {
    const asked = new URLSearchParams(location.search);
    const fake = fakeHost();
    fake.disk.settings = {
        theme: oneOf(["system", "light", "dark", "contrast"], asked.get("theme")) ?? "system",
        language: oneOf(["system", "en", "zh-CN"], asked.get("lang")) ?? "en",
        zoom: Number(asked.get("zoom") ?? 100),
        showPreview: asked.has("preview"),
        keys: {},
        retention: { days: null, gigabytes: null, reviewedToo: false },
        editor: "",
        tokenizer: "o200k_base",
    };
    if (asked.has("bundled")) {
        fake.disk.folders = fake.disk.folders.filter((folder) => folder.bundled);
    }
    if (asked.has("outside")) {
        fake.disk.trust = {
            trusted: ["/srv/shared/skills"],
            waiting: [
                "/home/me/notes",
                "/home/me/projects/a-very-long-name/of-a-folder/that-needs/more-than-one-line/in-the-dialog/skills",
            ],
        };
    }
    if (asked.has("outside")) {
        fake.disk.files.set("/opt/skill-workbench/skills/unit-converter/references/private.md", "# Private\n");
        fake.disk.links.set("/opt/skill-workbench/skills/unit-converter/references/private.md", "/home/me/notes/private.md");
    }
    const many = Number(asked.get("many") ?? 0);
    if (many > 0) {
        installMany(fake, many);
    }
    if (asked.has("steps")) {
        installLong(fake, Number(asked.get("steps")), Number(asked.get("runs") ?? 0));
    }
    if (asked.has("stream")) {
        installStream(fake, Number(asked.get("stream")), Number(asked.get("seconds") ?? 60));
    }
    setHost(fake);
    app.go(oneOf(PLACES, asked.get("place")) ?? "skills");
}

function oneOf<const T extends string>(known: readonly T[], value: string | null): T | undefined {
    return known.find((each) => each === value);
}
