"""What is said in the main story."""

CAUSE = """\
The import reads the whole file in one transaction per 500 rows and keeps no record of how far \
it came. When the database drops the connection for the third time, `with_retry` raises, the job \
ends, and the next night it starts at row one again. The rows before are rejected as duplicates \
one by one, which is why each retry takes longer than the last.

Three things are missing:

1. a place where progress is kept,
2. a reader that can start in the middle,
3. a way to tell the job to go on.

I have not changed anything yet."""

LOST = """\
In the retry handler. `with_retry` gets a closure over the batch; when the third attempt fails \
the batch is gone and `done` was never moved. The reader has no position either: \
`csv.DictReader` counts rows, not bytes, so even a saved row number would mean reading \
everything before it again."""

LOST_BRIEF = """\
Find where the position in the CSV file is lost between a failed batch and the next run. Look at \
the reader, the job and the retry helper. Do not change anything. Answer in a few sentences, \
with file names."""

LOST_ANSWER = """\
The position is lost in `src/import/retry.py`: the exception leaves `with_retry` without saying \
which batch failed, and `src/import/job.py` keeps `done` only in memory. `src/import/reader.py` \
could give the byte offset through `file.tell()`, but nobody asks for it."""

PLAN = """\
## Plan

1. The reader yields the byte offset after each row, not only the row.
2. A checkpoint holds three numbers: offset, rows done, size of the file.
3. It is saved after a batch is committed, never before.
4. A run without flags starts at the checkpoint when the size still matches.

Two places could hold it: a row in a new `import_job` table, or a small file next to the CSV. \
The table survives a new machine; the file needs no migration. I would take the file."""

JOB_TABLE = """\
Then one row per batch, claimed with a lock: `import_job(path, offset, rows, claimed_at)`. The \
job takes the newest row of its file with `select … for update` and writes the next one in the \
same transaction as the orders. The tests for two workers at once pass."""

MIGRATION = """\
Added `migrations/0042_import_job.py` with the table, an index on `(path, offset)` and the way \
back. It runs in 40 ms on the copy of the production data."""

LOCK = """\
Because the row is locked for the whole batch, and a batch waits for the payment service when an \
order has no customer yet. That is up to nine seconds a row. The lock would have to be given \
back before the call and taken again after it, and then two workers can claim the same batch. A \
job table only pays if several workers import one file, and you have one."""

CHECKPOINT = """\
The import now goes on where it stopped.

- `src/import/checkpoint.py` keeps offset, rows and size, and replaces its file in one step.
- `src/import/reader.py` yields the offset after each row.
- `src/import/job.py` saves after each committed batch.

A run that is killed between commit and save imports at most one batch twice; the unique key on \
the order number rejects it. 14 new tests, all pass."""

COMPACTED = """\
Summary:
1. The nightly CSV import of orchard-shop died half way and began anew each night.
2. Cause: progress was kept only in memory; the reader had no byte position.
3. Decided: a checkpoint file next to the CSV, saved after each committed batch. A job table was \
tried on another branch and left, because the lock is held too long.
4. Done: checkpoint.py, reader.py yields offsets, job.py saves. Tests pass.
5. Next: the command line."""

WIRING = """\
Two ways to do that: new options of their own, or the flags that `import` already has and nobody \
reads. `--resume` and `--restart` are parsed in `cli/main.py` and then dropped. Which do you \
want?"""

FLAGS_THOUGHT = """\
The checkpoint has to be written after the batch commits, not before. The command must not know \
about batches at all: it loads the checkpoint or it does not, and hands it to the job. --restart \
simply means not loading it. First see who else builds an ImportJob, because its signature \
changes."""

FLAGS_START = """\
The reader already knows its byte offset, so the command only has to load the checkpoint and \
pass it on. Before I change the signature I want to know who builds the job."""

CALLERS_BRIEF = """\
Find every place that builds an ImportJob or calls its run method, in code, tests and scripts. \
For each say which arguments it passes. Do not change anything."""

CALLERS_ANSWER = """\
Four callers build it directly: the nightly task, the CLI, and two tests. Only the CLI passes \
`dry_run`. Nothing builds it through a factory, so a new optional argument breaks nobody."""

OFF_BY_ONE = """\
Off by one: the offset was saved before the newline was counted, so the second run read the last \
row of the first run again. I move the count behind the yield."""

FLAGS_DONE = """\
`shop import orders.csv` goes on where it stopped, `--restart` starts over, `--resume` fails \
when there is nothing to resume. No new flag. All 31 import tests pass."""

CHANGED = """\
Then the size no longer matches and the job stops with a sentence that names both sizes and says \
to use `--restart`. A file that only grew is fine: the first bytes are the same, so the offset \
still holds. What the size cannot see is a file of the same length with other rows. A hash of \
the bytes up to the offset would see it and costs 0.3 s for 400 MB; I added it."""

OBJECT_STORAGE = """\
Possible, with two changes: there is no atomic replace, so each checkpoint is a new object and \
the newest wins; and a listing is needed to find it, which costs one call per run. The file next \
to the CSV stays the default; the storage is chosen by the path's scheme."""

REVIEW = """\
# Review

Read the change as a colleague would. Look for mistakes first, style last. For each finding give \
the file, the line, why it matters, and what you would write instead. Change nothing."""

REVIEWED = """\
Three findings, none of them a blocker.

1. `checkpoint.py:22` leaves the temporary file behind when the disk is full. Remove it in a \
`finally`.
2. `job.py:31` logs after every batch; at 500 rows that is 9,000 lines a night. Log every minute.
3. `reader.py:14` opens the file with the default buffer; with offsets a larger one saves 11 \
percent.

The tests say what they test. Two of them sleep; a fake clock would save 4 s."""

SUITE = "The unit tests, the import tests and the type check first; then the slow ones."
