"""``python -m hongwu_rules``, and the command itself: it can be interrupted while the rest is still being imported."""

import sys


def main() -> int:
    """Run the command; the exit code."""
    try:
        from .cli import main as command

        return command()
    except KeyboardInterrupt:
        sys.stderr.write(
            "interrupted · 被中断了\n" if "utf" in (sys.stderr.encoding or "").lower() else "interrupted\n"
        )
        return 130


if __name__ == "__main__":
    sys.exit(main())
