"""Thirty topics, made up by hand: what settles each, and what only speaks of it.

The plain sentences were written beside the rule that judges them. `HARD` was written afterwards to
go against it, as people talk: decisions without its words, and its words without a decision. The
rule was not changed for them. Neither says how often it is right on what people really write; both
are printed in docs/mcp.md, apart, because a figure over both would be that of their mixture.
"""

Topics = dict[str, tuple[tuple[str, ...], tuple[str, ...]]]

TOPICS: Topics = {
    "job queue": (
        ("Use SQLite for the job queue, not Redis.", "We decided against Redis for the job queue."),
        (
            "The job queue is empty again.",
            "Does the job queue use Redis?",
            "Look at the job queue.",
        ),
    ),
    "date format": (
        ("Always write ISO dates, that is our date format.", "Keep the date format as it is."),
        ("The date format in this log is odd.", "Which date format do we use?"),
    ),
    "retry": (
        ("Never retry a payment.", "Agreed: we retry three times and then give up."),
        ("The retry failed again.", "It used to retry without end.", "Why does it not retry?"),
    ),
    "config file": (
        ("Let's use TOML for the config file.", "No, keep YAML in the config file."),
        ("I read the config file.", "The config file is not there.", "Open the config file."),
    ),
    "logging": (
        ("Don't put tokens into the logging output.", "We'll use structlog for logging."),
        ("The logging is noisy.", "Could we use loguru for logging?", "Show me the logging code."),
    ),
    "error messages": (
        ("Error messages are sentences, we agreed.", "Use whole sentences in error messages."),
        ("The error messages were not helpful.", "List all error messages."),
    ),
    "cache": (
        ("Drop the cache, it is not worth it.", "We chose a cache of 64 entries."),
        ("The cache is cold.", "Maybe use a cache here.", "Clear the cache and run it again."),
    ),
    "branch names": (
        ("Use feat/ in branch names.", "Never put dates into branch names."),
        ("What are the branch names?", "The branch names are listed below."),
    ),
    "tests": (
        ("Never mock the database in tests.", "Always run the tests before a commit."),
        ("The tests pass.", "The tests use a temporary folder.", "Run the tests."),
    ),
    "license": (
        ("We picked the MIT license.", "Keep the license as it is."),
        ("The license file is missing.", "Which license does it have?"),
    ),
    "css": (
        ("Use plain CSS instead of Tailwind.", "Let us keep all css in one file."),
        ("The css is broken on phones.", "I fixed the css."),
    ),
    "primary key": (
        ("Use a UUID as the primary key.", "The decision on the primary key stands: integers."),
        ("The primary key is missing in this table.", "Is that a primary key?"),
    ),
    "timeout": (
        ("Use a timeout of 30 seconds.", "Never wait without a timeout."),
        ("It ended with a timeout.", "The timeout was not reached."),
    ),
    "python version": (
        ("Stick with Python 3.11 as the python version.", "Drop python version 3.9."),
        ("The python version is 3.11.", "Print the python version."),
    ),
    "readme": (
        ("Keep the readme short.", "Don't list options in the readme."),
        ("I updated the readme.", "The readme says otherwise.", "Write the readme."),
    ),
    "websocket": (
        ("We settled on SSE instead of a websocket.", "Avoid a websocket here."),
        ("The websocket closed.", "If we use a websocket, what then."),
    ),
    "currency": (
        ("Store every currency as integer cents.", "Never use floats for currency."),
        ("The currency is wrong on the invoice.", "Convert the currency."),
    ),
    "feature flag": (
        ("Put it behind a feature flag.", "We agreed to remove the feature flag in May."),
        ("The feature flag is off.", "Where is the feature flag read?"),
    ),
    "docker image": (
        ("Use the slim docker image.", "Switch to a distroless docker image."),
        ("The docker image is 900 MB.", "Build the docker image."),
    ),
    "pagination": (
        ("Use cursors instead of offsets for pagination.", "Pagination never skips rows, agreed."),
        ("Pagination is broken on page two.", "How does pagination work?"),
    ),
    "session ids": (
        ("Never log session ids.", "Keep session ids short in tables."),
        ("The session ids do not match.", "Find the session ids."),
    ),
    "linter": (
        ("Use ruff as the only linter.", "We decided to drop the second linter."),
        ("The linter complains.", "Run the linter."),
    ),
    "release": (
        ("Never cut a release on a Friday.", "We agreed on a monthly release."),
        ("The release is out.", "The release did not build."),
    ),
    "time zone": (
        ("Store times in UTC, whatever the time zone.", "Use the machine's time zone for days."),
        ("The time zone was wrong.", "Which time zone is this?"),
    ),
    "icons": (
        ("Use text instead of icons.", "Don't use emoji as icons."),
        ("The icons are blurry.", "Show the icons."),
    ),
    "upload limit": (
        ("Keep the upload limit at 20 MB.", "The upload limit: we chose 20 MB."),
        ("The upload limit was hit.", "Perhaps use a smaller upload limit."),
    ),
    "search index": (
        ("Never rebuild the search index at start.", "Use FTS5 for the search index."),
        ("The search index is stale.", "Rebuild the search index."),
    ),
    "api versioning": (
        ("Put api versioning into the path.", "Choose headers for api versioning, not paths."),
        ("Explain api versioning.", "The api versioning test fails."),
    ),
    "commit messages": (
        ("Always write commit messages in English.", "Never name tools in commit messages."),
        ("The commit messages are listed.", "I used the commit messages for the changelog."),
    ),
    "dark mode": (
        ("Leave dark mode for later.", "We'll use the system setting for dark mode."),
        ("Dark mode looks odd.", "Is dark mode on?"),
    ),
}

HARD: Topics = {
    "job queue": (
        ("Redis is out, SQLite for the job queue.",),
        ("Use the job queue page to see it.",),
    ),
    "date format": (
        ("ISO it is for the date format.",),
        ("Go through the date format code again.",),
    ),
    "retry": (("Three tries in retry and no more.",), ("I never understood the retry code.",)),
    "config file": (("TOML for the config file then.",), ("Move to the config file and read it.",)),
    "logging": (("structlog wins for logging.",), ("Put the logging output here.",)),
    "error messages": (
        ("Error messages must be sentences.",),
        ("Keep the error messages coming.",),
    ),
    "cache": (("The cache has to go.",), ("It never hits the cache.",)),
    "branch names": (
        ("Branch names start with feat/ from now on.",),
        ("Pick one of the branch names.",),
    ),
    "tests": (("No mocks in tests please.",), ("Keep the tests running while I look.",)),
    "license": (("MIT license, final.",), ("The user agreed to the license.",)),
    "css": (("Plain css, no Tailwind.",), ("It shows a blank page instead of the css.",)),
    "primary key": (("UUIDs for the primary key.",), ("It picked the wrong primary key.",)),
    "timeout": (("30 seconds is our timeout.",), ("Keep an eye on the timeout.",)),
    "python version": (("Minimum python version is 3.11.",), ("It chose another python version.",)),
    "readme": (("The readme stays short.",), ("Go to the readme and tell me what it says.",)),
    "websocket": (("SSE it is, no websocket.",), ("It never opens the websocket.",)),
    "currency": (("Integer cents for every currency.",), ("Use the currency menu and look.",)),
    "feature flag": (("That goes behind a feature flag.",), ("I switch the feature flag on.",)),
    "docker image": (("The slim docker image is enough.",), ("Use docker image ls.",)),
    "pagination": (("Cursors for pagination then.",), ("Pagination fails instead of stopping.",)),
    "session ids": (("Session ids stay out of the log.",), ("Pick two session ids and compare.",)),
    "linter": (("ruff is our linter now.",), ("Don't run the linter yet.",)),
    "release": (("No release on Fridays.",), ("The release was never built.",)),
    "time zone": (("UTC everywhere, no time zone.",), ("Choose a time zone in the menu.",)),
    "icons": (("Text and no icons.",), ("Use the icons page to find it.",)),
    "upload limit": (("20 MB is the upload limit.",), ("It never checks the upload limit.",)),
    "search index": (("FTS5 for the search index.",), ("Leave the search index open and wait.",)),
    "api versioning": (
        ("Versions in the path, that is api versioning.",),
        ("Go on with api versioning.",),
    ),
    "commit messages": (("English in commit messages.",), ("Use git log for commit messages.",)),
    "dark mode": (("Dark mode comes later.",), ("Switch to dark mode and take a picture.",)),
}
