package org.railyard.cli.lnetctl;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.Spelling;
import org.railyard.cli.lnetctl.ParsedLine.UsageException;
import org.railyard.cli.service.NoServiceException;
import org.railyard.control.Dlc;

/** The configuration tool: runs one command, or those that it reads (spec 12 §1.1). */
public final class Lnetctl {
    /** The first word of those who want to have all mistakes told. */
    static final String STRICT = "--strict_options";

    /** The first word, or the last, of those who read answers by program. */
    static final String JSON = "--json";

    private static final int COLUMNS = 4;
    private static final int COLUMN_WIDTH = 20;
    private static final int MOST_NEAR = 3;

    /** Where commands come from. */
    interface LineSource {
        /** Returns the next line, null at the end. */
        @Nullable
        String next() throws IOException;

        /** Tells whether a command that fails does not end it. */
        default boolean goesOn() {
            return false;
        }

        /** Returns the terminal that they are typed at, null if there is none. */
        default @Nullable Terminal terminal() {
            return null;
        }
    }

    private final Session session;
    private final Supplier<String> version;

    private Lnetctl(Session session, Supplier<String> version) {
        this.session = session;
        this.version = version;
    }

    /**
     * Runs the tool.
     *
     * @param args the words behind its name; none to read commands
     * @param in where commands, or a document to import, come from
     * @param out where results go
     * @param err where complaints go
     * @param version what {@code --version} says
     * @param service the node, asked for at first need; throws {@link NoServiceException}
     * @return the exit code
     */
    public static int run(
            List<String> args,
            BufferedReader in,
            PrintWriter out,
            PrintWriter err,
            Supplier<String> version,
            Supplier<Dlc> service) {
        Lnetctl tool = new Lnetctl(new Session(in, out, err, service), version);
        List<String> words = args;
        while (!words.isEmpty() && tool.isAboutAll(words.getFirst())) {
            words = words.subList(1, words.size());
        }
        if (words.size() > 1 && words.getLast().equals(JSON)) {
            // Where it stands in commands of other tools.
            tool.session.writeJson();
            words = words.subList(0, words.size() - 1);
        }
        return ended(words.isEmpty() ? tool.readCommands(in::readLine) : tool.run(words), out, err);
    }

    /** Does what a word says about all commands behind it; returns whether it is such a word. */
    private boolean isAboutAll(String word) {
        if (word.equals(JSON)) {
            session.writeJson();
            return true;
        }
        boolean strict = word.equals(STRICT) || word.equals("strict_options");
        if (strict) {
            session.beStrict();
        }
        return strict;
    }

    /** Runs the commands of a source, as {@link #run} does those of standard input. */
    static int read(
            LineSource source,
            boolean strict,
            BufferedReader in,
            PrintWriter out,
            PrintWriter err,
            Supplier<String> version,
            Supplier<Dlc> service) {
        Session session = new Session(in, out, err, service, source.terminal());
        if (strict) {
            session.beStrict();
        }
        return ended(new Lnetctl(session, version).readCommands(source), out, err);
    }

    private static int ended(int exit, PrintWriter out, PrintWriter err) {
        out.flush();
        err.flush();
        return exit;
    }

    /** Reads commands until the first that fails. */
    private int readCommands(LineSource source) {
        boolean ignoreErrors = source.goesOn();
        int first = Exit.OK;
        try {
            for (String line = source.next(); line != null; line = source.next()) {
                List<String> words = Words.of(line);
                String word = words.isEmpty() ? "" : words.getFirst();
                if (word.equals("quit") || word.equals("exit")) {
                    break;
                }
                boolean ignore = word.equals("ignore_errors") || word.equals("--ignore_errors");
                ignoreErrors |= ignore;
                if (word.isEmpty() || ignore || (words.size() == 1 && isAboutAll(word))) {
                    continue;
                }
                int exit = run(words);
                ended(exit, session.out(), session.err());
                first = first == Exit.OK ? exit : first;
                if (exit != Exit.OK && !ignoreErrors) {
                    break;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return first;
    }

    private int run(List<String> words) {
        return switch (words.getFirst()) {
            case "quit", "exit", "ignore_errors", "--ignore_errors" -> rest(words);
            case STRICT, "strict_options" -> {
                session.beStrict();
                yield rest(words);
            }
            case JSON -> {
                session.writeJson();
                yield rest(words);
            }
            case "--help", "-h", "help" -> help(words.subList(1, words.size()));
            case "--version", "version" -> {
                session.out().println("lnetctl " + version.get());
                yield Exit.OK;
            }
            case "--man-page" -> {
                session.out().print(ManPage.text());
                yield Exit.OK;
            }
            case "list-commands", "--list-commands" -> listCommands();
            default -> command(words);
        };
    }

    private int rest(List<String> words) {
        return words.size() > 1 ? run(words.subList(1, words.size())) : Exit.OK;
    }

    private int command(List<String> words) {
        String group = words.getFirst();
        Command command = LnetctlCommands.find(words);
        if (command == null) {
            return notFound(group, words.subList(1, words.size()));
        }
        List<String> args = words.subList(command.name().split(" ").length, words.size());
        if (args.contains("--help") || args.contains("-h")) {
            session.out().print(command.usage());
            return command.helpExit();
        }
        try {
            ParsedLine line = parse(command, args);
            List<Opt> bad = line.notNumbers(command.options());
            if (!bad.isEmpty() && !overlooks(bad, command, line)) {
                return Exit.FAILED;
            }
            if (!takesWords(command, line)) {
                return Exit.FAILED;
            }
            return command.body().run(line, session);
        } catch (InvalidPathException e) {
            String advice = e.getInput().isEmpty() ? "" : "; LC_ALL=C.UTF-8 allows all letters";
            return session.complain(
                    Exit.NOT_THERE,
                    command.name() + ": '" + e.getInput() + "' can not be the name of a file here (" + e.getReason()
                            + ")" + advice);
        } catch (UsageException e) {
            session.complain(Exit.FAILED, command.name() + ": " + e.getMessage());
            session.err().print(command.usage());
            // An unknown option has always been forgiven.
            return e.isUnknownOption() && !session.isStrict() ? Exit.OK : Exit.FAILED;
        }
    }

    private ParsedLine parse(Command command, List<String> args) throws UsageException {
        try {
            return ParsedLine.parse(command.options(), args);
        } catch (UsageException e) {
            if (!e.isUnknownOption() || !command.overlooksOptions() || session.isStrict()) {
                throw e;
            }
            session.warn(command.name() + ": " + e.getMessage() + "; the options are overlooked");
            return ParsedLine.parse(command.options(), List.of());
        }
    }

    /** Words that a command does not take have always been overlooked; tells of them. */
    private boolean takesWords(Command command, ParsedLine line) {
        int most = command.mostWords();
        if (line.words().size() <= most) {
            return true;
        }
        String word = line.words().get(most);
        String what = command.name() + ": found '" + word + "', "
                + (most == 0 ? "expected only options" + example(command, word) : "expected only " + command.words());
        if (session.isStrict()) {
            session.complain(Exit.FAILED, what + "; nothing was done");
        } else {
            session.warn(what + "; it is overlooked");
        }
        return !session.isStrict();
    }

    private static String example(Command command, String word) {
        return command.options().stream()
                .filter(Opt::hasValue)
                .findFirst()
                .map(opt -> ", such as --" + opt.name() + " " + word)
                .orElse("");
    }

    /** Tells whether numbers that are none are overlooked, and says so in either case. */
    private boolean overlooks(List<Opt> bad, Command command, ParsedLine line) {
        boolean overlooked = command.overlooksNumbers() && !session.isStrict();
        for (Opt opt : bad) {
            String value = String.valueOf(line.get(opt.name()));
            String what = command.name() + ": --" + opt.name() + " '" + value + "' "
                    + (value.matches("-?[0-9]+") ? "is out of range" : "is no whole number");
            if (overlooked) {
                session.warn(what + " and is overlooked; its default counts");
            } else {
                session.complain(Exit.FAILED, what + "; nothing was done");
            }
        }
        return overlooked;
    }

    /** No command is called so: a group alone, or a wrong word. */
    private int notFound(String name, List<String> rest) {
        LnetctlGroup group = LnetctlCommands.group(name);
        if (group == null) {
            List<String> names =
                    LnetctlCommands.groups().stream().map(LnetctlGroup::name).toList();
            return session.complain(
                    Exit.BAD,
                    "there is no command '" + name + "'" + Spelling.hint(name, names)
                            + "; 'lnetctl --list-commands' lists them");
        }
        boolean help = rest.contains("--help") || rest.contains("-h");
        List<String> words = rest.stream().filter(word -> !word.startsWith("-")).toList();
        List<String> all = new ArrayList<>(List.of(name));
        all.addAll(words);
        if (words.isEmpty() || LnetctlCommands.isPrefix(all)) {
            usage(group, String.join(" ", all) + " ");
            return help ? Exit.HELP : Exit.FAILED;
        }
        List<String> actions = group.commands().stream().map(Command::action).toList();
        List<String> near = Spelling.near(words.getFirst(), actions, MOST_NEAR);
        return session.complain(
                Exit.BAD,
                "'" + name + "' has no action '" + words.getFirst() + "'"
                        + (near.isEmpty() ? "" : " (did you mean '" + String.join("', '", near) + "'?)")
                        + "; 'lnetctl --list-commands' lists commands, 'lnetctl " + name + "' its actions");
    }

    private void usage(LnetctlGroup group, String start) {
        PrintWriter to = session.out();
        to.println("usage:");
        if (group.isLong()) {
            to.println("  lnetctl " + group.synopsis());
            int width = group.commands().stream()
                    .mapToInt(each -> each.action().length())
                    .max()
                    .orElse(0);
            group.commands().forEach(each -> to.print(UsageText.entry(each.action(), width, each.summary())));
            return;
        }
        group.commands().stream()
                .filter(each -> each.name().startsWith(start))
                .forEach(each -> to.println("  lnetctl " + each.synopsis() + ": " + each.summary()));
    }

    private int help(List<String> about) {
        if (about.isEmpty()) {
            session.out().println("usage: lnetctl COMMAND, or lnetctl alone to be asked for commands");
            for (LnetctlGroup group : LnetctlCommands.groups()) {
                session.out().printf("  %-17s%s%n", group.name(), group.summary());
            }
            session.out().println("'lnetctl COMMAND --help' tells more; 'lnetctl --json COMMAND' answers in JSON.");
            return Exit.OK;
        }
        LnetctlGroup group = LnetctlCommands.group(about.getFirst());
        if (group == null) {
            return notFound(about.getFirst(), List.of());
        }
        session.out().println("usage: lnetctl " + group.synopsis());
        return Exit.OK;
    }

    private int listCommands() {
        List<String> all = new ArrayList<>(LnetctlCommands.OWN);
        LnetctlCommands.groups().forEach(group -> all.add(group.name()));
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < all.size(); i++) {
            String name = all.get(i);
            text.append(name);
            boolean last = i % COLUMNS == COLUMNS - 1 || i == all.size() - 1;
            if (last) {
                text.append('\n');
            } else {
                text.repeat(' ', Math.max(1, COLUMN_WIDTH - name.length()));
            }
        }
        session.out().print(text);
        return Exit.OK;
    }

    /** Returns a reader of standard input. */
    public static BufferedReader standardInput() {
        return new BufferedReader(new InputStreamReader(System.in, java.nio.charset.Charset.defaultCharset()));
    }
}
