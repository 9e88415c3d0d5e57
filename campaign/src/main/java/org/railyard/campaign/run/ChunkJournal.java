package org.railyard.campaign.run;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.campaign.plan.CampaignPlan;
import org.railyard.campaign.plan.CaseChunk;

/**
 * What is done of a plan: {@code rows} holds the rows of chunks in the order in which they ended, {@code journal} a
 * line for each of them. Rows are on the disk before their line is.
 *
 * <pre>
 * railyard-campaign-journal 1 IDENTITY CRC
 * CHUNK OFFSET LENGTH CRC-OF-ROWS CRC
 * </pre>
 *
 * The last word of a line is the CRC-32C of what is before it, with the blank. From the first line on that is torn,
 * wrong, or whose rows are not what it says, all is dropped, and is run again. One process at a time has a journal; not
 * thread-safe.
 */
public final class ChunkJournal implements Closeable {
    private static final String HEAD = "railyard-campaign-journal 1 ";
    private static final String LINES = "journal";
    private static final String ROWS = "rows";
    private static final long NOWHERE = -1;
    private static final int MAX_LINE = 128;

    /** What a line says of a chunk, without the checksum: its number, and where its rows are. */
    private static final Pattern LINE = Pattern.compile("([0-9]{1,9}) ([0-9]{1,18}) ([0-9]{1,9}) ([0-9a-f]{8}) ");

    private static final int BLOCK = 1 << 16;

    private final Path folder;
    private final FileChannel lines;
    private final FileChannel rows;
    private final FileLock lock;
    private final long[] offsets;
    private final int[] lengths;
    private long end;
    private int done;
    private int dropped;

    private ChunkJournal(Path folder, FileChannel lines, FileChannel rows, FileLock lock, int chunks) {
        this.folder = folder;
        this.lines = lines;
        this.rows = rows;
        this.lock = lock;
        this.offsets = new long[chunks];
        this.lengths = new int[chunks];
        Arrays.fill(offsets, NOWHERE);
    }

    /**
     * Opens the journal of a plan in a folder, or begins one.
     *
     * @throws ErrnoException EBUSY if another process has it, EINVAL if it is another plan's
     */
    public static ChunkJournal open(Path folder, CampaignPlan plan) throws IOException {
        FileChannel lines = open(folder.resolve(LINES));
        FileChannel rows = null;
        try {
            FileLock lock = lock(lines, folder);
            rows = open(folder.resolve(ROWS));
            ChunkJournal journal = new ChunkJournal(folder, lines, rows, lock, plan.chunks());
            journal.load(plan);
            return journal;
        } catch (IOException | RuntimeException e) {
            lines.close();
            if (rows != null) {
                rows.close();
            }
            throw e;
        }
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    }

    private static FileLock lock(FileChannel lines, Path folder) throws IOException {
        FileLock lock;
        try {
            lock = lines.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            throw new ErrnoException(
                    Errno.EBUSY, folder + ": another process runs this campaign; wait for its end, or end it");
        }
        return lock;
    }

    private void load(CampaignPlan plan) throws IOException {
        String head = HEAD + plan.identity() + " ";
        LineReader reader = new LineReader(lines);
        String first = reader.next();
        if (first == null) {
            // Empty, or its first line was torn: nothing was done before that was written. With rows, somebody else's
            // work.
            dropped = rows.size() == 0 ? 0 : 1 + reader.left();
            lines.truncate(0);
            append(lines, 0, sealed(head));
            lines.force(true);
        } else if (!first.equals(sealed(head).stripTrailing())) {
            throw new ErrnoException(
                    Errno.EINVAL, folder.resolve(LINES) + ": not the journal of the plan that is beside it");
        } else {
            long kept = reader.position();
            for (String line = reader.next(); line != null && take(line, plan); line = reader.next()) {
                kept = reader.position();
            }
            dropped = kept < lines.size() ? 1 + reader.left() : 0;
            lines.truncate(kept);
        }
        rows.truncate(end);
        lines.position(lines.size());
    }

    /** Takes a line of a chunk; returns whether it is true. */
    private boolean take(String line, CampaignPlan plan) throws IOException {
        String said = line.substring(0, line.lastIndexOf(' ') + 1);
        Matcher words = LINE.matcher(said);
        if (!words.matches() || !sealed(said).stripTrailing().equals(line)) {
            return false;
        }
        int chunk = Integer.parseInt(words.group(1));
        long offset = Long.parseLong(words.group(2));
        int length = Integer.parseInt(words.group(3));
        if (chunk >= plan.chunks()
                || offsets[chunk] != NOWHERE
                || offset != end
                || offset + length > rows.size()
                || !crc(offset, length).equals(words.group(4))) {
            return false;
        }
        note(chunk, length);
        return true;
    }

    private String crc(long offset, int length) throws IOException {
        CRC32C crc = new CRC32C();
        ByteBuffer block = ByteBuffer.allocate(BLOCK);
        for (long at = offset; at < offset + length; ) {
            block.clear().limit((int) Math.min(BLOCK, offset + length - at));
            if (rows.read(block, at) < 0) {
                return "";
            }
            at += block.position();
            crc.update(block.flip());
        }
        return hex(crc);
    }

    private void note(int chunk, int length) {
        offsets[chunk] = end;
        lengths[chunk] = length;
        end += length;
        done++;
    }

    /** Returns a line with its checksum and its end. */
    private static String sealed(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.US_ASCII));
        return text + hex(crc) + "\n";
    }

    private static String hex(CRC32C crc) {
        return String.format(Locale.ROOT, "%08x", crc.getValue());
    }

    private static void append(FileChannel channel, long at, String text) throws IOException {
        write(channel, at, text.getBytes(StandardCharsets.US_ASCII));
    }

    private void keep(CaseChunk chunk, byte[] bytes, String crc) throws IOException {
        String name = ROWS;
        try {
            write(rows, end, bytes);
            rows.force(true);
            name = LINES;
            append(lines, lines.size(), sealed("%d %d %d %s ".formatted(chunk.index(), end, bytes.length, crc)));
            lines.force(true);
        } catch (IOException e) {
            throw AtomicFile.named(folder.resolve(name), e);
        }
    }

    private static void write(FileChannel channel, long at, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        long to = at;
        while (buffer.hasRemaining()) {
            to += channel.write(buffer, to);
        }
    }

    /**
     * Keeps the rows of a chunk: they are on the disk when this returns.
     *
     * @throws IllegalArgumentException if there are some already
     */
    public void add(CaseChunk chunk, byte[] bytes) throws IOException {
        if (isDone(chunk.index())) {
            throw new IllegalArgumentException(chunk + " has its rows");
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        keep(chunk, bytes, hex(crc));
        note(chunk.index(), bytes.length);
    }

    /** Returns whether the rows of a chunk are there. */
    public boolean isDone(int chunk) {
        return offsets[chunk] != NOWHERE;
    }

    /** Returns how many chunks have their rows. */
    public int done() {
        return done;
    }

    /** Returns how many lines were dropped when the journal was opened. */
    public int dropped() {
        return dropped;
    }

    /** Returns the rows of a chunk that is done. */
    public byte[] rows(int chunk) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(lengths[chunk]);
        while (bytes.hasRemaining()) {
            if (rows.read(bytes, offsets[chunk] + bytes.position()) < 0) {
                throw new IOException("rows of chunk " + chunk + " end too early: another program wrote the file");
            }
        }
        return bytes.array();
    }

    @Override
    public void close() throws IOException {
        lock.release();
        lines.close();
        rows.close();
    }

    /** Reads whole lines of a bounded length. */
    private static final class LineReader {
        private final FileChannel channel;
        private final ByteBuffer block = ByteBuffer.allocate(BLOCK).flip();
        private long position;
        private long read;

        LineReader(FileChannel channel) {
            this.channel = channel;
        }

        /** Returns the next line; null if there is none, or it is torn, too long or no text. */
        @Nullable
        String next() throws IOException {
            StringBuilder line = new StringBuilder();
            while (line.length() <= MAX_LINE) {
                if (!block.hasRemaining()) {
                    block.clear();
                    int count = channel.read(block, read);
                    block.flip();
                    if (count <= 0) {
                        return null;
                    }
                    read += count;
                }
                char c = (char) (block.get() & 0xff);
                if (c == '\n') {
                    position += line.length() + 1;
                    return line.toString();
                }
                line.append(c);
            }
            return null;
        }

        /** Returns where the next line begins. */
        long position() {
            return position;
        }

        /** Returns how many more lines follow, torn ones too. */
        int left() throws IOException {
            int count = 0;
            while (next() != null) {
                count++;
            }
            return count;
        }
    }
}
