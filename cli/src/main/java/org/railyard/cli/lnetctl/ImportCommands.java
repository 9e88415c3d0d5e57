package org.railyard.cli.lnetctl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.cli.service.NoServiceException;
import org.railyard.control.ConfigOperation;
import org.railyard.control.DlcException;
import org.railyard.control.Failure;
import org.railyard.host.WholeText;

/** {@code import} (spec 12 §5). */
final class ImportCommands {
    private static final int MAX_BYTES = 16 << 20;
    private static final int PART = 1 << 14;
    private static final String STANDARD = "-";

    /** What stands in a text for bytes that are none. */
    private static final char REPLACEMENT = '\uFFFD';

    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private static final List<String> MODES = List.of("add", "del", "show", "exec");

    private ImportCommands() {}

    static LnetctlGroup group() {
        List<Opt> options = List.of(
                Opt.flag("add", 'a', "add what it lists; the default"),
                Opt.flag("del", 'd', "delete what it lists"),
                Opt.flag("show", 's', "show what it lists"),
                Opt.flag("exec", 'e', "ping and discover what it lists"),
                Opt.flag("old-api", 'o', "taken, without effect"),
                Opt.flag("check", (char) 0, "only tell what would change"),
                Opt.value(
                        "confirm-within", (char) 0, "SECONDS", "take it back unless 'lnetctl confirm' comes in time"));
        Command read = new Command(
                "import",
                "",
                "[FILE]",
                "do what a YAML document says: all of it or nothing",
                options,
                ImportCommands::read);
        return LnetctlGroup.of(read.withHelpExit(Exit.OK));
    }

    private static int read(ParsedLine line, Session session) {
        String file = file(line);
        Integer seconds = seconds(line);
        List<String> modes = MODES.stream().filter(line::has).toList();
        if (modes.size() > 1) {
            return session.complain(
                    Exit.FAILED,
                    "import: found --" + String.join(" and --", modes) + ", expected one of them; nothing was done");
        }
        if (line.has("confirm-within") && seconds == null) {
            return session.complain(
                    Exit.FAILED,
                    "import: --confirm-within '" + line.get("confirm-within")
                            + "' is no time; expected seconds, such as 60s");
        }
        String text;
        try {
            text = file == null ? all(session) : text(Path.of(file));
        } catch (IOException e) {
            session.err()
                    .print(ErrorText.nested(new Failure(
                            "yaml",
                            "builder",
                            -1,
                            (file == null ? "standard input" : file) + " can not be read: " + e.getMessage(),
                            List.of())));
            return Exit.NOT_THERE;
        }
        ConfigOperation.Import read = new ConfigOperation.Import(
                text, file == null ? "stdin" : file, mode(modes, session), line.has("check"), seconds);
        try {
            return TargetCommands.print(session.withoutWarnings(session.dlc().execute(read)), session);
        } catch (NoServiceException e) {
            return session.complain(Exit.FAILED, e.text());
        } catch (DlcException e) {
            session.fail(e);
            int errno = e.failure().errno();
            boolean passed = errno == DlcException.NO_MATCH || errno == DlcException.GENERIC;
            return passed ? Exit.of(errno) : Exit.FAILED;
        }
    }

    /**
     * Returns the file that is named, null for standard input or output, which are called {@code -} too.
     *
     * @throws InvalidPathException if the name is empty
     */
    static @Nullable String file(ParsedLine line) {
        String name = line.words().isEmpty() ? STANDARD : line.words().getFirst();
        if (name.isEmpty()) {
            throw new InvalidPathException(name, "it is empty; name a file, or - for standard input and output");
        }
        return name.equals(STANDARD) ? null : name;
    }

    private static String mode(List<String> modes, Session session) {
        String mode = modes.isEmpty() ? "add" : modes.getFirst();
        // The tool has always shown only nets and routes.
        return mode.equals("show") && session.isStrict() ? "show-all" : mode;
    }

    private static @Nullable Integer seconds(ParsedLine line) {
        String value = line.get("confirm-within");
        return value != null && value.matches("[1-9][0-9]{0,6}s?") ? Integer.valueOf(value.replace("s", "")) : null;
    }

    private static String all(Session session) throws IOException {
        StringBuilder text = new StringBuilder();
        char[] part = new char[PART];
        for (int read = session.in().read(part); read >= 0; read = session.in().read(part)) {
            text.append(part, 0, read);
            if (text.length() > MAX_BYTES) {
                throw new IOException("it is longer than " + MAX_BYTES + " characters");
            }
        }
        return checked(text.toString());
    }

    /** Returns a text that is one, without the byte order mark that it may begin with. */
    private static String checked(String text) throws IOException {
        int bad = text.indexOf(REPLACEMENT);
        if (bad >= 0) {
            long line = 1
                    + text.substring(0, bad)
                            .chars()
                            .filter(each -> each == '\n')
                            .count();
            throw new IOException("line " + line
                    + " is no text in UTF-8; expected YAML in UTF-8: correct the line, or convert all of it"
                    + " with iconv");
        }
        return text.isEmpty() || text.charAt(0) != BYTE_ORDER_MARK ? text : text.substring(1);
    }

    private static String text(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException("it is a directory");
        }
        try {
            return checked(new String(WholeText.bytes(file, MAX_BYTES), StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            throw new IOException("there is no such file", e);
        } catch (AccessDeniedException e) {
            throw new IOException("permission denied", e);
        }
    }
}
