package org.railyard.cli.mad;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.JsonText;
import org.railyard.base.wire.WireFormatException;
import org.railyard.cli.text.FileReason;
import org.railyard.cli.text.LimitedInput;
import org.railyard.mad.text.MadDocument;
import org.railyard.mad.text.MadLines;
import org.railyard.mad.text.MadText;
import org.railyard.mad.wire.Mad;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard mad decode}: MADs in hexadecimal as names and values. */
@Command(
        name = "decode",
        description = {
            "Show management datagrams (MADs) that are written in hexadecimal.",
            "Each line has one: its last word, from the first byte of the MAD on; zeros at its end may be left out. "
                    + "Other words are ignored, but for len=N, the bytes that were received. Lines that begin with # "
                    + "and empty ones are skipped."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:everything was read",
            "1:lines that are no MAD are named on standard error, the rest is shown",
            "2:the file can not be read or holds no MAD, or the command line is wrong"
        },
        footer = {
            "",
            "Examples:",
            "  railyard mad decode --line sweep.txt.gz",
            "  echo 0181010100000000000000000000123400110000 | railyard mad decode -"
        })
final class MadDecodeCommand implements Callable<Integer> {
    private static final int WRONG_LINES = 1;
    private static final int UNUSABLE = 2;

    /** Most lines that are named as wrong; further ones are counted. */
    private static final int MAX_NAMED = 20;

    /** Most bytes, after unpacking, of a file; standard input may go on for as long as somebody writes. */
    static final int MAX_BYTES = 1 << 30;

    /** Most characters of a line in which its end is looked for. */
    static final int MAX_SKIPPED = 16 * MadLines.MAX_LINE;

    private static final int GZIP_FIRST = 0x1f;
    private static final int GZIP_SECOND = 0x8b;

    private final InputStream standardInput;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "The file, gzip or not; - for standard input.")
    private String file = "";

    @Option(names = "--line", description = "One line for each MAD, with the fields that are not 0.")
    private boolean line;

    @Option(names = "--json", description = "A line of JSON for each MAD.")
    private boolean json;

    private int mads;
    private int wrong;
    private int without;

    MadDecodeCommand() {
        this(System.in);
    }

    MadDecodeCommand(InputStream standardInput) {
        this.standardInput = standardInput;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if (line && json) {
            throw new ParameterException(spec.commandLine(), "--line and --json exclude each other");
        }
        try (InputStream in = file.equals("-") ? standardInput : Files.newInputStream(Path.of(file))) {
            read(bounded(plain(in)), out, err);
        } catch (IOException e) {
            err.println("railyard: " + name() + ": cannot be read: " + FileReason.ofReading(e));
            return UNUSABLE;
        }
        if (wrong > MAX_NAMED) {
            err.println((wrong - MAX_NAMED) + " more lines are no MADs");
        }
        if (without > 0) {
            err.println(without + (without == 1 ? " line" : " lines") + " without a MAD ignored");
        }
        if (mads == 0) {
            err.println(name() + ": no MAD found; expected lines whose last word is a MAD in hexadecimal");
            return UNUSABLE;
        }
        return wrong > 0 ? WRONG_LINES : 0;
    }

    private String name() {
        return file.equals("-") ? "standard input" : file;
    }

    /** Returns the input without compression. */
    private static InputStream plain(InputStream in) throws IOException {
        BufferedInputStream buffered = new BufferedInputStream(in);
        buffered.mark(2);
        boolean gzip = buffered.read() == GZIP_FIRST && buffered.read() == GZIP_SECOND;
        buffered.reset();
        return gzip ? new GZIPInputStream(buffered) : buffered;
    }

    /** A file is bounded: a device has no size, and some do not end. */
    private InputStream bounded(InputStream in) {
        return file.equals("-") ? in : new LimitedInput(in, MAX_BYTES);
    }

    private void read(InputStream in, PrintWriter out, PrintWriter err) throws IOException {
        Reader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1));
        int number = 1;
        for (String text = nextLine(reader, number); text != null; text = nextLine(reader, number)) {
            try {
                Optional<Mad> mad = MadLines.read(text);
                if (mad.isPresent()) {
                    mads++;
                    out.print(text(mad.get()) + "\n");
                } else if (!text.isBlank() && !text.stripLeading().startsWith("#")) {
                    without++;
                }
            } catch (WireFormatException e) {
                if (++wrong <= MAX_NAMED) {
                    err.println(name() + ":" + number + ": " + e.getMessage());
                }
            }
            number++;
            if (out.checkError()) {
                // Nobody reads any more: head, or a pager that was left.
                return;
            }
        }
    }

    private String text(Mad mad) {
        if (json) {
            return JsonText.of(MadDocument.of(mad));
        }
        return line ? MadText.line(mad) : MadText.page(mad);
    }

    /**
     * Returns the next line; of one that is too long a little more than may be, so that it is refused.
     *
     * @throws IOException if it does not end in sight
     */
    private static @Nullable String nextLine(Reader in, int number) throws IOException {
        StringBuilder text = new StringBuilder();
        int c = in.read();
        if (c < 0) {
            return null;
        }
        for (int skipped = 0; c >= 0 && c != '\n'; c = in.read()) {
            if (++skipped > MAX_SKIPPED) {
                throw new IOException("line " + number + " has more than " + MAX_SKIPPED
                        + " characters; expected lines with a MAD in hexadecimal, of at most " + MadLines.MAX_LINE);
            }
            if (text.length() <= MadLines.MAX_LINE) {
                text.append((char) c);
            }
        }
        return text.toString();
    }
}
