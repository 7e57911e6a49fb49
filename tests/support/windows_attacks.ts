/** Paths that mean something else to Windows than they seem to, and what must happen to them there. */

export type Kind =
  /** Leads outside, to a device, to a stream, or nowhere a name can: refused by its form. */
  | "form"
  /** An absolute path outside every root. */
  | "absolute"
  /** A name of paddock's temporary files. */
  | "own"
  /** Inside a `.git`, in some spelling: refused by every tool that would change it. */
  | "git"
  /** Inside the nested root `inner`, in some spelling, which may only be read. */
  | "nested"
  /** Inside, whatever it looks like. */
  | "harmless";

export interface Attack {
  kind: Kind;
  path: string;
}

/** `base` is the folder that contains `field`, the root with `ok.txt`, `ok_dir` and `inner`, and `outside`. */
export function windowsAttacks(base: string): Attack[] {
  const of = (kind: Kind, paths: string[]) => paths.map((path) => ({ kind, path }));
  const outside = `${base}\\outside\\secret.txt`;
  return [
    ...of("form", [
      ...["..\\outside\\secret.txt", "..\\..\\x", "ok_dir\\..\\..\\outside\\secret.txt"],
      ...["ok_dir/..\\../outside\\secret.txt", "no\\such\\..\\..\\..\\outside\\new.txt", ".\\..\\outside"],
      ...[
        "C:",
        "C:secret.txt",
        "C:..\\outside\\secret.txt",
        "z:x",
        "ok_dir\\C:\\x",
        "C:.",
        "1:x",
        "ok_dir/c:x",
      ],
      ...[
        "ok.txt:stream",
        "ok.txt::$DATA",
        "new.txt:x:$DATA",
        "ok_dir::$INDEX_ALLOCATION\\x.txt",
        ":x",
        "x:",
      ],
      ...[
        "CON",
        "con.txt",
        "NUL",
        "nul ",
        "NUL.txt",
        "nul.tar.gz",
        "COM1",
        "com9.x",
        "COM\u00b9",
        "LPT1",
        "lpt\u00b3",
      ],
      ...[
        "AUX",
        "aux.c",
        "PRN",
        "prn .txt",
        "CONIN$",
        "CONOUT$",
        "ok_dir\\nul",
        "ok_dir/aux.c",
        "nul\\x",
        "COM0",
      ],
      ...[
        "ok.txt.",
        "ok.txt ",
        "ok.txt. .",
        "ok_dir.\\x.txt",
        "ok_dir \\x.txt",
        "...",
        "....",
        ". .",
        " ",
        "ok_dir\\ ",
      ],
      ...[
        ".. \\outside\\secret.txt",
        "..\\ \\x",
        "... \\x",
        ".. .\\outside\\secret.txt",
        "..  /outside/secret.txt",
      ],
      ...["a?b", "a*b", "ok*", "*", "a<b", "a>b", 'a"b', "a|b", "a\tb", "a\nb", "a\u0001b", "<\\x", ">", '"'],
      ...["ok.txt\0", "\0", "..\\outside\\secret.txt\0.png"],
    ]),
    ...of("absolute", [
      ...[outside, outside.replaceAll("\\", "/"), outside.toUpperCase(), outside.toLowerCase()],
      ...[
        `${base}\\field\\..\\outside\\secret.txt`,
        `${base}\\field_evil\\new.txt`,
        `${base}\\field`.concat("_evil"),
      ],
      ...[
        "C:\\windows\\win.ini",
        "c:/windows/win.ini",
        "\\windows\\win.ini",
        "/windows/win.ini",
        "\\",
        "\\\\",
        "//",
      ],
      ...[`\\\\?\\${outside}`, `\\\\.\\${outside}`, `//?/${outside}`, `//./${outside}`, `\\??\\${outside}`],
      ...[
        "\\\\.\\PhysicalDrive0",
        "\\\\.\\pipe\\x",
        "\\\\.\\NUL",
        "\\\\?\\GLOBALROOT\\Device\\Null",
        "\\\\.\\C:",
      ],
      ...[
        "\\\\localhost\\C$\\windows\\win.ini",
        "//localhost/C$/windows/win.ini",
        "\\\\?\\UNC\\localhost\\C$\\x",
      ],
    ]),
    ...of("own", [".paddock-0a.tmp", ".PADDOCK-0A.TMP", "ok_dir\\.paddock-ff.tmp", ".paddock-0a.tmp\\x"]),
    ...of("git", [
      ...[
        ".git\\config",
        ".GIT\\hooks\\pre-commit",
        "git~1\\config",
        "GIT~1/hooks/new",
        "ok_dir\\..\\.git\\config",
      ],
      ...[".g\u200cit\\config", "ok_dir\\no\\.Git\\config", `${base}\\field\\.git\\config`, ".git"],
    ]),
    ...of("nested", [
      ...["inner\\new.txt", "INNER\\new.txt", "Inner/new.txt", "ok_dir\\..\\iNNer\\x.txt", "INNER", "inner"],
      ...[`${base}\\field\\inner\\new.txt`, `${base}\\FIELD\\INNER\\new.txt`],
    ]),
    ...of("harmless", [
      ...["OK.TXT", "ok_dir\\x.txt", "OK_DIR/X.TXT", ".\\ok.txt", "ok_dir\\\\x.txt", "ok_dir\\..\\ok.txt"],
      ...[
        `${base}\\field\\ok.txt`,
        `${base}\\FIELD\\OK.TXT`,
        `${base}/field/ok.txt`,
        "COM10",
        "console",
        "nully.txt",
      ],
      ...[
        "%2e%2e\\outside",
        "\uff0e\uff0e\\outside",
        "..\u2215outside",
        "~\\x",
        "%TEMP%\\x",
        "$env",
      ],
    ]),
  ];
}
