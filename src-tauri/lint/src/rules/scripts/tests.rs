//! Scripts and commands as in real skills, and what is reported for them.

use std::fs;

use camino::Utf8PathBuf;

use crate::{Disk, Finding, Group, LintOptions, Linter};
use config::Setting;
use skill::Severity;

/// Messages of this group for a skill of these files, in their order.
fn said(files: &[(&str, &str)]) -> Vec<String> {
    findings(files).iter().map(|finding| format!("{}: {}", finding.rule.id, finding.message.en)).collect()
}

fn findings(files: &[(&str, &str)]) -> Vec<Finding> {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
    for (name, text) in files {
        let path = root.join("demo").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let front = if *name == "SKILL.md" { FRONT } else { "" };
        fs::write(&path, format!("{front}{text}")).unwrap();
        executable(&path);
    }
    of_folder(root)
}

const FRONT: &str = "---\nname: demo\ndescription: Use when asked for a demo.\n---\n";

#[cfg(unix)]
fn executable(path: &Utf8PathBuf) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(not(unix))]
fn executable(_path: &Utf8PathBuf) {}

fn of_folder(root: Utf8PathBuf) -> Vec<Finding> {
    let set = skill::load(&[root]);
    let skills = skill::skills(&set);
    let options = LintOptions { select: vec![Group::Scripts.id().into()], ..LintOptions::default() };
    let mut options = options;
    options.rules.insert("no-distinct-exit-codes".into(), Setting::Off);
    Linter::new(options).all(&set, &skills, &Disk)
}

#[test]
fn bundled_skills_are_quiet() {
    let skills = Utf8PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../skills")).canonicalize_utf8().unwrap();
    let found = of_folder(skills);
    let said: Vec<String> =
        found.iter().map(|one| format!("{} {}: {}", one.path, one.rule.id, one.message.en)).collect();
    assert!(said.is_empty(), "{}", said.join("\n"));
}

#[test]
fn finds_every_fault_of_the_deep_probe() {
    let found = said(&[
        (
            "SKILL.md",
            "Run:\n\n```bash\npython3 scripts/draw.py --colour red --in sales.csv\n```\n\n```json\n{\"a\": 1,, \"b\": 2}\n```\n\n\
             ```python\ndef total(rows:\n    return sum(rows)\n```\n",
        ),
        (
            "scripts/draw.py",
            "import argparse\nimport os\nimport pandas as pd\n\nparser = argparse.ArgumentParser()\n\
             parser.add_argument(\"--color\")\nparser.add_argument(\"--in\", dest=\"source\")\n\
             args = parser.parse_args()\nkey = os.environ[\"CHART_API_KEY\"]\nprint(pd.read_csv(args.source), key)\n",
        ),
    ]);
    let expected = [
        "flag-not-accepted-by-script: `scripts/draw.py` has no flag `--colour`; did you mean `--color`?",
        "fence-does-not-parse: this code is marked as JSON, but it does not parse: key must be a string",
        "fence-does-not-parse: this code is marked as Python, but it does not parse: expected `)`, found newline",
        "undeclared-import: nothing says that `pandas` is needed; name `pandas` in a `# /// script` block or in \
         `compatibility`",
        "env-var-undocumented: the script reads `CHART_API_KEY`, which no text of the skill mentions; \
             name it in SKILL.md, with what it is for",
    ];
    assert_eq!(found, expected);
}

/// Python, as a script that the skill's text does not mention.
fn of_python(text: &str) -> Vec<String> {
    said(&[("SKILL.md", "Do it.\n"), ("scripts/x.py", text)])
}

#[test]
fn sound_python_is_quiet() {
    let cases = [
        "import os\nenv = os.environ\nprint(env.get(\"DEMO_KEY\", \"\"))\nfrom os import environ as e\nprint(e[\"HOME\"])\n",
        "from __future__ import annotations\nimport os, sys, json, tomllib, distutils.core, zoneinfo\n",
        "try:\n    import yaml\nexcept ImportError:\n    yaml = None\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import numpy\n",
        "try:\n    import tomllib\nexcept ModuleNotFoundError:\n    import tomli as tomllib\n",
        "import sys\nif sys.version_info >= (3, 12):\n    from itertools import batched\nelse:\n    from more_itertools import batched\n",
        "from sys import version_info\nif version_info[0] < 3:\n    import six\n",
        "import contextlib\nwith contextlib.suppress(ImportError):\n    import rich\n",
        "from .sibling import a\nimport x\n",
        "import os\nkey = os.environ.get(\"DEMO_KEY\", \"none\")\nmode = os.getenv(\"DEMO_MODE\") or \"fast\"\n",
        "import os\nif os.environ.get(\"DEMO_DEBUG\"):\n    print(1)\nhome = os.environ[\"HOME\"]\n",
        "import os\nif os.environ.get(\"DEMO_OFF\") == \"1\":\n    os.environ[\"DEMO_NOW\"] = \"1\"\nprint(os.environ[\"DEMO_NOW\"])\n",
        "import sys\nif sys.stdin.isatty():\n    name = input(\"Name? \")\n",
        "import argparse\np = argparse.ArgumentParser()\np.add_argument(\"--yes\")\nif not p.parse_args().yes:\n    input(\"?\")\n",
        "match 1:\n    case 1:\n        print(f\"{'a'!r:>{10}} {1 + 1 = }\")\ntype A = int\n",
        "async def f():\n    await g()\n    return [x async for x in y]\nprint((lambda *a, **k: (a, k))(1))\n",
        "import subprocess, shutil, sys\nif not shutil.which(\"pandoc\"):\n    sys.exit(\"install pandoc\")\nsubprocess.run([\"pandoc\", \"a\"])\n",
        "import subprocess\nsubprocess.run([\"bash\", \"-c\", \"ls\"])\nsubprocess.run(\"grep a b\", shell=True)\n",
        "print(\"Loading\")\n",
        "NS = \"http://www.w3.org/2000/svg\"\nDOC = \"https://unknown-host.dev/guide\"\n",
        "open(\"/tmp/a\", \"w\")\nopen(\"out.txt\", \"w\")\nopen(\"/etc/hosts\")\n",
        "async def f():\n    for x in y:\n        if x:\n            break\n    else:\n        return await x\n    while True:\n        with a:\n            continue\n",
        "class A:\n    def f(self):\n        def g():\n            return 1\n        return g\n",
        "def f():\n    return (await x for x in y), (x async for x in y)\nprint(lambda: (yield))\nasync with a: await b\n",
        "async def f():\n    async with a:\n        async for b in c: yield b\n    @d(await e)\n    def g(h=await i): pass\n",
        "#!/usr/bin/env python2\nprint \"x\"\n",
        "\"\"\"Reads /Users/ada/x.csv, for instance.\"\"\"\n",
        "import sys\nif \"--help\" in sys.argv:\n    print(\"usage\")\nprint(sys.argv[1])\n",
    ];
    for case in cases {
        assert_eq!(of_python(case), Vec::<String>::new(), "{case}");
    }
}

#[test]
fn faults_of_python_are_found() {
    let cases = [
        ("print \"x\"\n", "syntax-python"),
        ("x = 1\nreturn x\n", "syntax-python"),
        ("def f():\n    await g()\n", "syntax-python"),
        ("def f(a, a):\n    pass\n", "syntax-python"),
        ("f = lambda a, a: 1\n", "syntax-python"),
        ("def f():\n    async with a: pass\n", "syntax-python"),
        ("def f():\n    async for b in c: pass\n", "syntax-python"),
        ("def f():\n    return [b async for b in c]\n", "syntax-python"),
        ("def f():\n    return [await b for b in c]\n", "syntax-python"),
        ("def f():\n    return (b for b in await c)\n", "syntax-python"),
        ("async def f():\n    return lambda: await g()\n", "syntax-python"),
        ("for a in b:\n    yield a\n", "syntax-python"),
        ("try:\n    import pandas\nexcept ImportError:\n    import polars\n", "undeclared-import"),
        ("if True:\n    break\n", "syntax-python"),
        ("import numpy as np\n", "undeclared-import"),
        ("from PIL import Image\n", "undeclared-import"),
        (
            "from os import getenv\nkey = getenv(\"DEMO_KEY\")\nassert key, \"DEMO_KEY is not set\"\n",
            "env-var-undocumented",
        ),
        ("from os import environ\nkey = environ[\"DEMO_KEY\"]\n", "env-var-undocumented"),
        ("from os import environ as e\nkey = e[\"DEMO_KEY\"]\n", "env-var-undocumented"),
        ("import os\nenv = os.environ\nkey = env[\"DEMO_KEY\"]\n", "env-var-undocumented"),
        (
            "import os\nenv = os.getenv\nkey = env(\"DEMO_KEY\")\nassert key, \"DEMO_KEY is not set\"\n",
            "env-var-undocumented",
        ),
        ("from getpass import getpass\nx = getpass(\"Key: \")\n", "interactive-input"),
        ("import subprocess as sp\nsp.run([\"ffmpeg\", \"-i\", \"a\"])\n", "undeclared-binary"),
        ("import os\nos.system(\"convert a.png b.png\")\n", "undeclared-binary"),
        ("import os\nopen(os.path.expanduser(\"~/.demo\"), \"w\")\n", "writes-outside-workdir"),
        ("from pathlib import Path\nHOME = Path.home()\n(HOME / \".demo\").mkdir()\n", "writes-outside-workdir"),
        ("x = \"/Users/ada/x.csv\"\n", "hard-coded-path"),
        (
            "import urllib.request\nURL = \"https://api.weatherly.io/x\"\nurllib.request.urlopen(URL)\n",
            "network-host-undeclared",
        ),
    ];
    for (case, rule) in cases {
        let found = of_python(case);
        assert!(found.len() == 1 && found[0].starts_with(rule), "{case}: {found:?}");
    }
}

/// Shell, as a script that the skill's text does not mention.
fn of_shell(text: &str) -> Vec<String> {
    said(&[("SKILL.md", "Do it.\n"), ("scripts/x.sh", text)])
}

#[test]
fn sound_shell_is_quiet() {
    let cases = [
        "select x in a b; do echo \"$x\"; break; done\nPS3='? '\nselect y in a b\ndo\n  echo \"$y\"\ndone\n",
        "for i do echo \"$i\"; done\n",
        "while read -r line; do echo \"$line\"; done < a.txt\n",
        "a | while read -r x; do :; done\n".trim_start_matches("a | "),
        "case \"$1\" in\n  --help|-h) echo usage ;;\n  *) ;;\nesac\n",
        "cat <<'EOF'\nif then ( ${\nEOF\n",
        "arr=(a b); echo \"${arr[@]:1}\" \"${x//a/b}\" $((1 + 2)) <(ls)\n",
        "[[ $a =~ ^(x|y)$ && -f b ]] && echo ok\n",
        "command -v jq >/dev/null || exit 1\njq . a.json\n",
        "OUT=${OUT:-out}\necho \"$OUT\" \"${TOKEN:-}\" \"$HOME\"\n",
        "read -p 'Name? ' name < names.txt\n",
        "read -rp 'Name? ' name <<< \"$1\" # usage\n",
        "printf 'a\\n' | { read -p 'Name? ' name; echo \"$name\"; }\n",
        "read -t 5 -p 'Go on? ' x || x=y\n",
        "echo 'Files:'\nwhile read -r file; do echo \"$file\"; done < list.txt\n",
        "echo 'Reads a line.'\nread -r line\n",
        "echo a > /dev/null 2>&1; echo b > /tmp/x\n",
        "f() { echo \"$1\"; }\nf a\n",
        "if [ -t 0 ]; then read -p 'Go on? ' x; fi\n",
        "cat >a.txt <<\\EOF ||\nffmpeg -i \"$DEMO_KEY\n[ -z\nEOF\n  exit 1\n",
    ];
    for case in cases {
        assert_eq!(of_shell(case), Vec::<String>::new(), "{case}");
    }
}

#[test]
fn faults_of_shell_are_found() {
    let cases = [
        ("if true; then\n  echo a\n", "syntax-shell"),
        ("echo \"a\n", "syntax-shell"),
        ("select x in a b; do echo \"$x\"\n", "syntax-shell"),
        ("read -p 'Name? ' name\n", "interactive-input"),
        ("read -rp 'Name? ' name 2>/dev/null\n", "interactive-input"),
        ("read -rsp 'Key: ' key\n", "interactive-input"),
        ("read -r -p 'Go on? ' -n 1\n", "interactive-input"),
        ("ask() {\n  read -p 'Go on? ' x\n}\nask\n", "interactive-input"),
        ("{ read -p 'Go on? ' x; echo \"$x\"; } | tee log.txt\n", "interactive-input"),
        ("echo -n 'Go on? [y/N] '\nread answer\n", "interactive-input"),
        ("printf 'Name: '; read -r name\n", "interactive-input"),
        ("read -s key < /dev/tty\n", "interactive-input"),
        ("curl --data \"$DEMO_TOKEN\" x\n", "undeclared-binary"),
        ("echo \"${DEMO_TOKEN:?}\"\n", "env-var-undocumented"),
        ("echo a >> ~/.bashrc\n", "writes-outside-workdir"),
        ("mkdir -p \"$HOME/demo\"\n", "writes-outside-workdir"),
        ("ls /home/ada/x\n", "hard-coded-path"),
        ("cat \"$1\" # usage\n", "unbounded-output"),
    ];
    for (case, rule) in cases {
        let found = of_shell(case);
        assert!(found.iter().any(|said| said.starts_with(rule)), "{case}: {found:?}");
    }
}

#[test]
fn javascript_is_read_too() {
    let of = |name: &str, text: &str| said(&[("SKILL.md", "Do it.\n"), (name, text)]);
    let quiet = [
        "#!/usr/bin/env node\nimport fs from 'node:fs';\nconst { a } = require('path');\nawait fs.promises.readFile('x');\n",
        "class A { #x = 1\n  #y\n  static { this.z = 1 } }\nlabel: for (;;) break label;\nreturn;\n",
        "const { DEMO_MODE = 'fast', HOME, ...rest } = process.env;\nconst { DEMO_DEBUG } = process.env;\nif (DEMO_DEBUG) console.log(HOME);\n",
        "const { DEMO_PORT: port } = process.env;\nlisten(port ?? 80);\nconst { DEMO_KEY } = options;\n",
        "const key = process.env.DEMO_KEY ?? 'none';\nif (process.env.DEMO_DEBUG) console.log(1);\n",
        "import './lib/a.mjs';\nimport x from './x.js';\n",
        "import a from '@/lib/a';\nimport b from '~/b';\nimport c from '$lib/c';\nimport * as vscode from 'vscode';\n",
    ];
    for case in quiet {
        assert_eq!(of("scripts/x.mjs", case), Vec::<String>::new(), "{case}");
    }
    let loud = [
        ("const a = ;\n", "syntax-js"),
        ("import chalk from 'chalk';\n", "undeclared-import"),
        ("console.log(process.env.DEMO_KEY.length);\n", "env-var-undocumented"),
        (
            "const { DEMO_KEY, DEMO_MODE = 'x' } = process.env;\nif (!DEMO_KEY) throw new Error('no key');\n",
            "env-var-undocumented",
        ),
        ("const { DEMO_KEY: key } = process.env;\nconsole.log(key.length);\n", "env-var-undocumented"),
        ("import rl from 'node:readline';\nrl.question('Name? ', console.log);\n", "interactive-input"),
    ];
    for (case, rule) in loud {
        let found = of("scripts/x.mjs", case);
        assert!(found.len() == 1 && found[0].starts_with(rule), "{case}: {found:?}");
    }
    assert_eq!(of("scripts/x.ts", "let a: string = f<number>(1)!;\n"), Vec::<String>::new());
}

#[test]
fn data_is_read_by_its_formats() {
    let of = |name: &str, text: &str| said(&[("SKILL.md", "Do it.\n"), (name, text)]);
    let quiet = [
        ("assets/a.json", "{\"a\": \"\\ud800\", \"b\": [1e400]}"),
        ("tsconfig.json", "{\n  // strict\n  \"strict\": true,\n}\n"),
        ("assets/a.json", "{\"name\": {{ name }}}"),
        ("evals/files/a.json", "{"),
        ("assets/a.jsonl", "{\"a\": 1}\n\n{\"a\": 2}\n"),
        ("a.yaml", "a: &x {b: [1, yes]}\nc: *x\n---\n- d\n"),
        ("a.toml", "[a]\nb = 2026-11-21\n"),
        ("assets/a.csv", "a;b\n1,5;2\n2;3\n"),
    ];
    for (name, text) in quiet {
        assert_eq!(of(name, text), Vec::<String>::new(), "{text}");
    }
    for (name, text) in
        [("assets/a.json", "{'a': 1}"), ("assets/broken.json", "{"), ("a.yaml", "a: [1\nb: 2\n"), ("a.toml", "a = b\n")]
    {
        let found = of(name, text);
        assert!(found.len() == 1 && found[0].starts_with("syntax-data-file"), "{text}: {found:?}");
    }
}

#[test]
fn pieces_of_code_in_fences_are_quiet() {
    let cases = [
        ("python", ">>> 1 +\n... 2\n3\n"),
        ("python", "    return x\n"),
        ("bash", "for (( A ; B ; C )) [;] do D; done\nfname () compound [redirections]\n"),
        ("bash", "if A; then\n  B;\n[elif C; then\n  D;]\nfi\n"),
        ("python", "else:\n    x = 1\n"),
        ("python", "\"a\": 1,\n\"b\": 2,\n"),
        ("python", "color=\"red\",\nwidth=3,\n"),
        ("python", "def draw(path: str) -> None\n"),
        ("python", "draw(path: str, width=3) -> Image\n"),
        ("python", "x = await f()\nyield x\nreturn x\n"),
        ("python", "run(<your path>)\n"),
        ("python", "f(a=1, ...)\n"),
        ("python", "%matplotlib inline\n!pip install x\n"),
        ("python", "def f():\n    # your code here\n"),
        ("bash", "$ ls\na b (c\n$ pwd\n"),
        ("bash", "tool <in> <out>\n"),
        ("bash", "tool [--flag] (a|b)\n"),
        ("json", "{\n  // why\n  \"a\": 1,\n}\n"),
        ("json", "{\"a\": 1, ...}\n"),
        ("json", "\"a\": 1,\n\"b\": [2]\n"),
        ("json", "{\"a\": string, \"b\": number | null}\n"),
        ("json", "{\"a\": 1}\n{\"a\": 2}\n"),
        ("yaml", "---\nname: x\n---\n# Title: [\n"),
        ("yaml", "key: {{ value }}\n"),
        ("javascript", "key: 1,\nother: [2],\n"),
        ("js", "const { a, ...rest } = x;\nreturn await f(...rest);\n"),
        ("js", "function f(a: string): void {}\n"),
        ("toml", "a = 1\na = 2\n"),
        ("python", "# Wrong:\ndef f(:\n"),
        ("javascript", "SELECT 1;\n+---+\n| 1 |\n+---+\n"),
        ("yaml", "password: ******\n"),
    ];
    for (language, code) in cases {
        let text = format!("Like this:\n\n```{language}\n{code}```\n");
        assert_eq!(said(&[("SKILL.md", &text)]), Vec::<String>::new(), "{code}");
    }
}

#[test]
fn what_a_command_prints_is_not_shell() {
    let text = "It prints this result:\n\n```bash\nAccess denied; you (ada) may not\n```\n";
    assert_eq!(said(&[("SKILL.md", text)]), Vec::<String>::new());
}

#[test]
fn broken_fences_are_found_at_their_place() {
    let cases = [
        ("python", "def f(a:\n    return a\n", "def f(a:"),
        ("python", "x = [1, 2\ny = 3\n", "y"),
        ("bash", "if true; then\n  ls\n", "ls"),
        ("json", "{\"a\": 1 \"b\": 2}\n", "\""),
        ("json", "{'a': 1}\n", "'"),
        ("yaml", "a: [1, 2\nb: 3\n", ":"),
        ("js", "function f( {\n  return 1;\n}\n", "function f( {"),
    ];
    for (language, code, place) in cases {
        // In a list, where each line of the fence is indented.
        let indented = code.replace('\n', "\n   ");
        let text = format!("1. Like this:\n\n   ```{language}\n   {indented}```\n");
        let found = findings(&[("SKILL.md", &text)]);
        let whole = format!("{FRONT}{text}");
        let places: Vec<&str> = found.iter().filter_map(|one| Some(one.span?.of(&whole))).collect();
        assert!(found.len() == 1 && places[0].starts_with(place), "{code}: {places:?} {found:?}");
    }
}

const PARSER: &str = "import argparse\np = argparse.ArgumentParser()\np.add_argument(\"file\")\n\
    p.add_argument(\"-o\", \"--output\", required=True)\np.add_argument(\"--verbose\", action=\"store_true\")\n\
    p.add_argument(\"--color\", action=argparse.BooleanOptionalAction)\np.parse_args()\n";

fn of_command(script: (&str, &str), command: &str) -> Vec<String> {
    let text = format!("```bash\n{command}\n```\n");
    let all = said(&[("SKILL.md", &text), script]);
    let about_it = ["flag-not", "required-flag", "script-path"];
    all.into_iter().filter(|said| about_it.iter().any(|rule| said.starts_with(rule))).collect()
}

#[test]
fn fitting_commands_are_quiet() {
    let fitting = [
        "python scripts/x.py a.txt -o b",
        "python3 -u scripts/x.py --output=b --no-color a",
        "python scripts/x.py --out b a",
        "python scripts/x.py --help",
        "python scripts/x.py [options] <file>",
        "python scripts/x.py ...",
        "python scripts/x.py -o b a | grep --count x",
        "FOO=1 uv run --with rich scripts/x.py -o b a",
        "$SKILL_DIR/scripts/x.py -o b a",
        "python3 SKILL_PATH/scripts/x.py -o b a",
        "python {baseDir}/scripts/x.py -o b a",
        "cd scripts && python x.py -o b a",
        "python scripts/x.py -o b \"$@\"",
        "python scripts/x.py -o b $FILES",
        "python scripts/x.py -o b -- a",
        "python scripts/x.py -o b -",
        "python other/x.py --none",
        "python x.py.bak --none",
        "python scripts/x.py -ob a",
        "echo python scripts/x.py",
    ];
    for command in fitting {
        assert_eq!(of_command(("scripts/x.py", PARSER), command), Vec::<String>::new(), "{command}");
    }
}

#[test]
fn commands_that_do_not_fit_are_found() {
    let cases = [
        ("python scripts/x.py a -o b --verbos-e", "`scripts/x.py` has no flag `--verbos-e`; did you mean `--verbose`?"),
        ("python scripts/x.py a -o b \\\n  --quiet", "`scripts/x.py` has no flag `--quiet`; it has `--output`"),
        ("python scripts/x.py a", "`scripts/x.py` requires `--output`, which this command leaves out"),
        ("python scripts/x.py -o b", "`scripts/x.py` requires `file`, which this command leaves out"),
        ("python scripts/x.py --output=b --verbose", "`scripts/x.py` requires `file`, which this command leaves out"),
        ("python x.py a -o b", "from the skill's folder, `x.py` is not there; the script is `scripts/x.py`"),
        ("python demo/scripts/x.py a -o b", "from the skill's folder, `demo/scripts/x.py` is not there"),
    ];
    for (command, message) in cases {
        let found = of_command(("scripts/x.py", PARSER), command);
        assert!(found.len() == 1 && found[0].contains(message), "{command}: {found:?}");
    }
}

#[test]
fn values_are_compared_with_those_a_flag_takes() {
    let argparse = "import argparse\nSIZES = (\"small\", \"large\")\np = argparse.ArgumentParser()\n\
        p.add_argument(\"-f\", \"--format\", choices=[\"json\", \"csv\"])\np.add_argument(\"--size\", choices=SIZES)\n\
        p.add_argument(\"--dpi\", type=int, choices=[72, 300])\np.add_argument(\"--case\", type=str.lower, choices=[\"a\"])\n\
        p.add_argument(\"--level\", choices=levels())\np.add_argument(\"--tags\", nargs=\"+\")\np.parse_args()\n";
    let click = "import click\n@click.command()\n@click.option(\"--format\", type=click.Choice([\"json\", \"csv\"]))\n\
        @click.option(\"--free\", type=click.Choice([\"a\"], case_sensitive=False))\n@click.argument(\"source\")\n\
        @click.argument(\"rest\", nargs=-1)\ndef run(format, free, source, rest): pass\n";
    for (script, command) in [
        (argparse, "--format json -f csv --size large --dpi 300"),
        (argparse, "--format <format> --size $SIZE --dpi {dpi} --format FORMAT --size=\"$SIZE\""),
        (argparse, "--format json|csv"),
        (argparse, "--case A --level any --tags a b c"),
        (click, "--format csv --free A data.csv"),
    ] {
        let found = of_command(("scripts/x.py", script), &format!("python scripts/x.py {command}"));
        assert_eq!(found, [""; 0], "{command}");
    }
    for (script, command, message) in [
        (argparse, "--format xml", "`--format` of `scripts/x.py` takes no `xml`; it has `json`, `csv`"),
        (argparse, "-f jsn", "`-f` of `scripts/x.py` takes no `jsn`; did you mean `json`?"),
        (argparse, "--size=medium", "`--size` of `scripts/x.py` takes no `medium`; it has `small`, `large`"),
        (argparse, "--dpi 150", "`--dpi` of `scripts/x.py` takes no `150`; it has `72`, `300`"),
        (click, "--format xml a", "`--format` of `scripts/x.py` takes no `xml`; it has `json`, `csv`"),
        (click, "--format csv", "`scripts/x.py` requires `source`, which this command leaves out"),
    ] {
        let found = of_command(("scripts/x.py", script), &format!("python scripts/x.py {command}"));
        assert!(found.len() == 1 && found[0].ends_with(message), "{command}: {found:?}");
    }
}

#[test]
fn required_arguments_other_than_flags_are_counted() {
    let optional = "import argparse\np = argparse.ArgumentParser()\np.add_argument(\"a\", nargs=\"?\")\n\
        p.add_argument(\"b\", nargs=\"*\")\np.add_argument(\"--version\", action=\"version\")\np.parse_args()\n";
    let two = "import argparse\np = argparse.ArgumentParser()\np.add_argument(\"source\")\np.add_argument(\"target\")\n\
        p.add_argument(\"--size\", nargs=2)\np.add_argument(\"--fast\", action=\"store_true\")\np.parse_args()\n";
    let strays = "import argparse\ndef add(p):\n    p.add_argument(\"source\")\nparser = argparse.ArgumentParser()\n\
        add(parser)\nparser.parse_args()\n";
    let below = "import argparse\np = argparse.ArgumentParser()\np.add_argument(\"base\")\ns = p.add_subparsers()\n\
        a = s.add_parser(\"add\")\na.add_argument(\"name\")\np.parse_args()\n";
    let typer = "import typer\napp = typer.Typer()\n@app.command()\ndef main(name: str, loud: bool = False): pass\n";
    for (script, command) in [
        (optional, ""),
        (two, "a b"),
        (two, "a.txt --fast b.txt"),
        (two, "<source> <target>"),
        (two, "[source] [target]"),
        (two, "--size 1 2 a"),
        (two, "*.txt out"),
        (two, "$(ls)"),
        (two, "--help"),
        (strays, ""),
        (below, "main add x"),
        (below, "main"),
        (typer, "Ada --loud"),
    ] {
        let found = of_command(("scripts/x.py", script), &format!("python scripts/x.py {command}"));
        assert_eq!(found, [""; 0], "{command}");
    }
    for (script, command, name) in [
        (two, "", "source"),
        (two, "a --fast", "target"),
        (two, "a > out.txt", "target"),
        (below, "main add", "name"),
        (typer, "--loud", "NAME"),
    ] {
        let found = of_command(("scripts/x.py", script), &format!("python scripts/x.py {command}"));
        let message = format!("`scripts/x.py` requires `{name}`, which this command leaves out");
        assert!(found.len() == 1 && found[0].ends_with(&message), "{command}: {found:?}");
    }
    // A code span need not be the whole command.
    assert_eq!(
        said(&[("SKILL.md", "Run `scripts/x.py --fast`, see `python scripts/x.py`.\n"), ("scripts/x.py", two)]),
        ["no-help"; 0]
    );
}

#[test]
fn parsers_of_all_kinds_are_understood() {
    let click = "import click\n@click.group()\n@click.option(\"--debug/--no-debug\")\ndef cli(debug): pass\n\
        @cli.command()\n@click.argument(\"a\")\n@click.option(\"--count\", \"-c\", required=True)\ndef make_it(a, count): pass\n";
    let typer = "import typer\napp = typer.Typer()\n@app.command()\ndef main(name: str, loud: bool = False, \
        size: int = typer.Option(3, \"--size\", \"-s\")): pass\n";
    let sub = "import argparse\np = argparse.ArgumentParser()\ns = p.add_subparsers()\na = s.add_parser(\"add\")\n\
        a.add_argument(\"--name\")\nb = s.add_parser(\"list\", aliases=[\"ls\"])\nb.add_argument(\"--all\")\np.parse_args()\n";
    let handed = "import argparse\ndef target(p):\n    p.add_argument(\"--slug\", required=True)\np = argparse.ArgumentParser()\n\
        s = p.add_subparsers()\na = s.add_parser(\"show\")\ntarget(a)\nb = s.add_parser(\"list\")\np.parse_args()\n";
    let hand = "import sys\nif \"--fast\" in sys.argv:\n    pass\n";
    let getopts = "while getopts \"ho:\" x; do :; done\n";
    let cases =
        "while [ $# -gt 0 ]; do case \"$1\" in --out) o=$2; shift 2;; --dry-run|-n) shift;; *) exit 2;; esac; done\n";
    let commander =
        "import { Command } from 'commander';\nnew Command().option('-o, --out <file>', 'x').option('--no-color');\n";
    let yargs = "const argv = require('yargs/yargs')(process.argv.slice(2))\n  .option('name', { alias: 'n' }).strict().argv;\n";
    let node =
        "import { parseArgs } from 'node:util';\nparseArgs({ options: { out: { type: 'string', short: 'o' } } });\n";
    let quiet = [
        ("scripts/x.py", click, "python scripts/x.py --no-debug make-it -c 3 a"),
        ("scripts/x.py", typer, "python scripts/x.py Ada --no-loud -s 3"),
        ("scripts/x.py", sub, "python scripts/x.py ls --all"),
        ("scripts/x.py", handed, "python scripts/x.py show --slug a"),
        ("scripts/x.py", handed, "python scripts/x.py list"),
        ("scripts/x.py", hand, "python scripts/x.py --fast"),
        ("scripts/x.sh", getopts, "bash scripts/x.sh -o a"),
        ("scripts/x.sh", cases, "bash scripts/x.sh --out a -n"),
        ("scripts/x.mjs", commander, "node scripts/x.mjs --out a --no-color"),
        ("scripts/x.mjs", node, "node scripts/x.mjs -o a"),
        ("scripts/x.js", yargs, "node scripts/x.js --name a -n b"),
        // Cases that are not clear from the code.
        ("scripts/x.py", "from lib import parser\np = parser()\np.add_argument(\"--a\")\n", "python scripts/x.py --b"),
        ("scripts/x.py", "import argparse\nargparse.ArgumentParser().parse_known_args()\n", "python scripts/x.py --b"),
        ("scripts/x.py", "import fire\nfire.Fire()\n", "python scripts/x.py --b"),
        (
            "scripts/x.js",
            "const y = require('yargs');\nif (y.argv.ships > 3) y.exit(1);\n",
            "node scripts/x.js --ships 4",
        ),
        ("scripts/x.js", &yargs.replace(".strict", ".boolean('v').strict"), "node scripts/x.js -v"),
        ("scripts/x.sh", "exec tool --fixed \"$@\"\n", "bash scripts/x.sh --b"),
    ];
    for (name, script, command) in quiet {
        assert_eq!(of_command((name, script), command), Vec::<String>::new(), "{command}");
    }
    let loud = [
        ("scripts/x.py", click, "python scripts/x.py make-it --cuont 3 a", "did you mean `--count`?"),
        ("scripts/x.py", click, "python scripts/x.py make-it a", "requires"),
        ("scripts/x.py", click, "python scripts/x.py mkae-it -c 1 a", "did you mean `make-it`?"),
        ("scripts/x.py", typer, "python scripts/x.py Ada --lood", "did you mean `--loud`?"),
        ("scripts/x.py", sub, "python scripts/x.py remove", "no subcommand `remove`; it has `add`, `list`"),
        ("scripts/x.py", sub, "python scripts/x.py add --all", "no flag `--all`"),
        ("scripts/x.py", handed, "python scripts/x.py show --slgu a", "did you mean `--slug`?"),
        ("scripts/x.py", hand, "python scripts/x.py --slow", "no flag `--slow`"),
        ("scripts/x.sh", getopts, "bash scripts/x.sh -z", "no flag `-z`"),
        ("scripts/x.sh", cases, "bash scripts/x.sh --outt a", "did you mean `--out`?"),
        ("scripts/x.mjs", commander, "node scripts/x.mjs --outt a", "did you mean `--out`?"),
        ("scripts/x.mjs", node, "node scripts/x.mjs --in a", "no flag `--in`"),
        ("scripts/x.js", yargs, "node scripts/x.js --nmae a", "did you mean `--name`?"),
    ];
    for (name, script, command, message) in loud {
        let found = of_command((name, script), command);
        assert!(!found.is_empty() && found.iter().any(|said| said.contains(message)), "{command}: {found:?}");
    }
}

#[test]
fn prose_about_one_script_counts_where_a_flag_is_nearly_right() {
    let of = |prose: &str| said(&[("SKILL.md", prose), ("scripts/x.py", PARSER)]);
    let found = of("Run **scripts/x.py** with `--outptu <file>`; like `git`, it takes `--version`.\n");
    assert_eq!(found, ["flag-not-accepted-by-script: `scripts/x.py` has no flag `--outptu`; did you mean `--output`?"]);
    assert_eq!(of("Run **scripts/x.py** with `--output <file>` and `--verbose`.\n"), Vec::<String>::new());
}

#[test]
fn what_is_declared_anywhere_is_declared() {
    let script = ("scripts/x.py", "import yaml, PIL, requests\nimport cv2\n");
    let quiet: [&[(&str, &str)]; 9] = [
        &[
            ("SKILL.md", "Needs LibreOffice and poppler-utils.\n"),
            ("scripts/x.sh", "soffice --headless a.docx\npdftotext a.pdf\ngit log\n"),
        ],
        &[
            ("SKILL.md", "Set `GITHUB_TOKEN`.\n"),
            ("scripts/x.mjs", "await fetch(`https://api.github.com/repos/${process.env.GITHUB_TOKEN}`);\n"),
        ],
        &[("SKILL.md", "Needs pyyaml, Pillow, `requests`, opencv-python.\n"), script],
        &[
            ("SKILL.md", "Do.\n"),
            script,
            ("requirements.txt", "PyYAML>=6\npillow==11\nrequests~=2\nopencv-python-headless>4\n"),
        ],
        &[
            ("SKILL.md", "Do.\n"),
            script,
            (
                "pyproject.toml",
                "[project]\ndependencies = [\"pyyaml>=6\", \"pillow>1\", \"requests>=2\", \"opencv-python>4\"]\n",
            ),
        ],
        &[
            ("SKILL.md", "Do.\n"),
            ("scripts/x.mjs", "import s from '@a/b/c';\n"),
            ("package.json", "{\"dependencies\": {\"@a/b\": \"^1\"}}"),
        ],
        &[
            ("SKILL.md", "Do.\n"),
            ("scripts/x.ts", "import React from 'react';\n"),
            ("deno.json", "{\"imports\": {\"react\": \"npm:react@18\"}}"),
        ],
        &[
            ("SKILL.md", "Needs wxPython. `pip install openai-whisper ffmpeg-python python-levenshtein`\n"),
            ("scripts/x.py", "import wx\nimport whisper\nimport ffmpeg\nimport Levenshtein\n"),
        ],
        &[("SKILL.md", "Do.\n"), ("scripts/x.py", "import helper\n"), ("scripts/lib/helper.py", "")],
    ];
    for files in quiet {
        assert_eq!(said(files), Vec::<String>::new(), "{files:?}");
    }
    let prose = said(&[("SKILL.md", "Answers requests.\n"), ("scripts/x.py", "import requests\n")]);
    assert_eq!(prose.len(), 1, "`requests` is a word of English: {prose:?}");
}

#[test]
fn runners_without_versions_are_named_once() {
    let text = "```bash\nnpx -y prettier@3.1.0 .\nnpx @scope/tool@1.0 x\nuvx --from ruff==0.8 ruff\nnpx ./local.js\nnpx <tool>\n\
        npx --no-install tsc\nuvx black .\nuvx black a\n```\n";
    let expected = ["unpinned-runner: `uvx black` runs whatever version is newest; pin it, as in `black==1.2.3`"];
    assert_eq!(said(&[("SKILL.md", text)]), expected);
}

#[test]
fn hostile_code_is_read_in_bounds() {
    let deep = |open: &str, inner: &str, close: &str, times: usize| {
        format!("x = {}{inner}{}\n", open.repeat(times), close.repeat(times))
    };
    let mut texts = vec![
        deep("(", "1", ")", 50_000),
        deep("[", "", "", 100_000),
        deep("f(", "1", ")", 50_000),
        deep("not ", "1", "", 50_000),
        deep("lambda: ", "1", "", 30_000),
        deep("lambda a, b: ", "1", "", 30_000),
        deep("1 + ", "1", "", 60_000),
        deep("1 if 1 else ", "1", "", 20_000),
        deep("-", "1", "", 100_000),
        deep("f\"{", "1", "}\"", 10_000),
        format!("x{}\n", ".a".repeat(100_000)),
        format!("x{}\n", "()".repeat(100_000)),
        format!("x{}\n", "[0]".repeat(100_000)),
        "((((((((((((((((((((((((((((((\n".to_owned(),
        "$(".repeat(50_000),
        "${a:-".repeat(20_000),
        "{ ".repeat(50_000),
        "! ".repeat(100_000),
        "f() ".repeat(50_000),
        "if a; then ".repeat(20_000),
        "<<A ".repeat(20_000),
        "case a in a) ".repeat(20_000),
        "`".repeat(100_000),
        "\"".repeat(99_999),
        "a|".repeat(100_000),
        "=>".repeat(100_000),
        "`${".repeat(30_000),
        "a=$(".repeat(40_000),
        "a+=\"$(b \"$1\" ".repeat(20_000),
        "console.log(".repeat(20_000),
        "f(`/home/ada/${".repeat(20_000),
        "import a1\n".repeat(30_000),
        "p.add_argument('--a')\ns = q.add_parser('b')\n".repeat(8_000),
        "\u{0}\u{feff}\u{202e}é".repeat(1_000),
        "x".repeat(3 << 20),
    ];
    let mut blocks = String::new();
    for depth in 0..400 {
        blocks.push_str(&format!("{}if 1:\n", " ".repeat(depth)));
    }
    texts.push(blocks);
    for text in &texts {
        let fences =
            ["python", "bash", "js", "json", "yaml", "toml", "console"].map(|name| format!("```{name}\n{text}\n```\n"));
        let fences = fences.concat();
        let names = [
            "SKILL.md",
            "scripts/a.py",
            "scripts/a.sh",
            "scripts/a.mjs",
            "a.json",
            "a.yaml",
            "a.toml",
            "a.csv",
            "a.jsonl",
        ];
        let files: Vec<(&str, &str)> = names
            .iter()
            .map(|name| (*name, if *name == "SKILL.md" { fences.as_str() } else { text.as_str() }))
            .collect();
        let started = std::time::Instant::now();
        let _ = findings(&files);
        let taken = started.elapsed();
        assert!(taken.as_secs() < 20, "{:?} took {taken:?}", &text[..text.floor_char_boundary(20)]);
    }
}

#[test]
fn only_what_is_broken_is_an_error() {
    let errors = crate::rules().filter(|rule| rule.group == Group::Scripts && rule.severity == Severity::Error);
    let ids: Vec<&str> = errors.map(|rule| rule.id).collect();
    assert_eq!(ids, ["syntax-data-file", "syntax-js", "syntax-python", "syntax-shell"]);
}

#[test]
fn long_names_behind_getopts_are_accepted() {
    let script = "#!/bin/bash\nset -e\nwhile getopts \":qn:h-:\" opt; do\n  case $opt in\n    -) case $OPTARG in dry-run) DRY=1 ;; esac ;;\n    q) QUIET=1 ;;\n    h) echo usage; exit 0 ;;\n  esac\ndone\necho \"${DRY:-} ${QUIET:-}\"\n";
    let page = "```bash\nbash scripts/x.sh --dry-run\n```\n";
    assert_eq!(said(&[("SKILL.md", page), ("scripts/x.sh", script)]), Vec::<String>::new());
}

#[test]
fn a_function_without_its_indentation_is_broken() {
    let found = said(&[("SKILL.md", "```python\ndef f(x):\nreturn x + 1\n```\n")]);
    assert!(found.len() == 1 && found[0].starts_with("fence-does-not-parse"), "{found:?}");
    let heads = "```python\ndef f(x):\ndef g(x):\n```\n";
    assert_eq!(said(&[("SKILL.md", heads)]), Vec::<String>::new());
}

#[test]
fn programs_of_a_script_are_named_together() {
    let found = said(&[("SKILL.md", "Do it.\n"), ("scripts/x.sh", "set -e\nffmpeg -i a b\nconvert a b\n")]);
    let expected = "undeclared-binary: nothing says that `ffmpeg`, `convert` are needed; name them in `compatibility`, or \
                    look for them first";
    assert!(found.contains(&expected.to_owned()), "{found:?}");
}

#[test]
fn what_is_put_together_is_chinese_throughout() {
    let found = findings(&[
        ("SKILL.md", "```bash\npython3 scripts/x.py --colour red\n```\n\n```js\nlet a = ;\n```\n"),
        (
            "scripts/x.py",
            "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument(\"--color\")\nparser.parse_args()\n",
        ),
        ("scripts/y.py", "return 1\n"),
        ("scripts/x.sh", "set -e\nffmpeg -i a b\nconvert a b\n"),
        ("data.csv", "a,b\n1,2\n3,4\n5,6,7\n"),
    ]);
    let mut texts: Vec<String> = found.iter().map(|one| format!("{}: {}", one.rule.id, one.message.zh)).collect();
    texts.sort();
    let expected = [
        "fence-does-not-parse: 这段代码标注为 JavaScript，但无法解析：意外的 `=`",
        "flag-not-accepted-by-script: `scripts/x.py` 没有参数 `--colour`，是否应为 `--color`？",
        "syntax-python: `scripts/y.py` 不是有效的 Python：`return` 出现在函数之外",
        "table-rows-uneven: 这一行有 3 个字段，而表头有 2 个，含有分隔符的字段请加引号",
        "undeclared-binary: 没有任何地方说明需要 `ffmpeg`、`convert`，请在 `compatibility` 中写明，或先检查是否存在",
    ];
    assert_eq!(texts, expected);
}

#[test]
fn the_name_of_a_script_keeps_no_rule_from_it() {
    for name in ["test_run.py", "template.py", "broken_run.py", "run.min.py", "conftest.py", "invalid.py"] {
        let path = format!("/demo/scripts/{name}");
        let files =
            [("/demo/SKILL.md", "---\nname: demo\ndescription: Use it.\n---\nRun it.\n"), (path.as_str(), "def f(:\n")];
        let said = crate::tests::said_of(&files, &crate::LintOptions::default());
        assert!(said.iter().any(|said| said.starts_with("syntax-python: ")), "{name}: {said:?}");
    }
}

#[test]
fn flags_of_other_programs_are_not_the_scripts_own() {
    let python = "import subprocess\nimport sys\n\nargs = [\"exiftool\", \"-b\", sys.argv[1]]\nsubprocess.run(args, check=True)\n";
    let node = "const args = [\"-y\", \"-i\", process.argv[2]];\nconsole.log(args);\n";
    for (name, text, command) in
        [("scripts/a.py", python, "python3 scripts/a.py --help"), ("scripts/a.mjs", node, "node scripts/a.mjs --in x")]
    {
        let body = format!("Run `{command}`.\n");
        let said = said(&[("SKILL.md", &body), (name, text)]);
        assert!(!said.iter().any(|line| line.starts_with("flag-not-accepted")), "{said:?}");
    }
}

/// Lines about commands that a script does not take.
fn of_commands(page: &str, script: &str) -> Vec<String> {
    let said = said(&[("SKILL.md", page), ("scripts/x.py", script)]);
    let lines =
        said.into_iter().filter_map(|line| Some(line.strip_prefix("flag-not-accepted-by-script: ")?.to_owned()));
    lines.collect()
}

#[test]
fn a_page_written_for_another_program_is_one_finding() {
    let command = |flags: &str| format!("Run `python scripts/x.py {flags}`.\n\n");
    let page: String = ["--deploy", "--stage", "--deploy", "--watch", "--port"].map(command).concat();
    let expected = "commands in this page pass 4 things that `scripts/x.py` does not take: `--deploy`, `--stage`, `--watch`, \
                    `--port`; write them for what the script does";
    assert_eq!(of_commands(&page, PARSER), [expected]);
    let slip = format!("{page}{}", command("--outptu a"));
    assert_eq!(of_commands(&slip, PARSER).len(), 2, "a slip is another cause");
    let few: String = ["--deploy", "--stage"].map(command).concat();
    assert_eq!(of_commands(&few, PARSER).len(), 2);
}

#[test]
fn a_flag_before_its_subcommand_and_a_value_in_another_case() {
    let script = "import argparse\n\nparser = argparse.ArgumentParser()\ncommands = parser.add_subparsers()\n\
                  look = commands.add_parser(\"look\")\nlook.add_argument(\"--root\")\n\
                  look.add_argument(\"--level\", \"-l\", choices=[\"LOW\", \"HIGH\"])\nprint(parser.parse_args())\n";
    let before = "`scripts/x.py` takes `--root` only after a subcommand such as `look`; move it there";
    assert_eq!(of_commands("Run `python scripts/x.py --root . look`.\n", script), [before]);
    let case = "`--level` of `scripts/x.py` takes no `high`; did you mean `HIGH`?";
    assert_eq!(of_commands("Run `python scripts/x.py look --level high`.\n", script), [case]);
    assert_eq!(of_commands("Run `python scripts/x.py look --root . -l LOW`.\n", script), [""; 0]);
}

#[test]
fn arguments_that_another_function_reads_are_not_all_known() {
    let script = |body: &str| {
        format!(
            "import argparse\nimport sys\n\n\ndef other(argv):\n    {body}\n\n\ndef main():\n    parser = argparse.ArgumentParser()\n    \
             parser.add_argument(\"--root\")\n    print(parser.parse_args())\n\n\nif sys.argv[1].startswith(\"--\"):\n    \
             other(sys.argv[1:])\nelse:\n    main()\n"
        )
    };
    let page = "Run `python scripts/x.py --run-dir a`.\n";
    assert_eq!(of_commands(page, &script("print(list(argv))")), [""; 0]);
    assert_eq!(of_commands(page, &script("print(make_parser().parse_args(argv))")).len(), 1);
}
