package org.railyard.cli.lnetctl;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.control.CliCommand;
import org.railyard.control.CliOption;
import org.railyard.control.Operation;
import org.railyard.control.OperationCodec;

/**
 * Makes the command of an operation from the annotations of its record: name, options, help. A component {@code int
 * level} is the option {@code --verbose}. Not thread-safe.
 */
final class OperationCommand {
    /** Does an operation in a session; returns the exit code. */
    @FunctionalInterface
    interface Runner {
        /** Does it. */
        int run(Session session, Operation operation);
    }

    /** Looks at a line. */
    @FunctionalInterface
    interface Check {
        /** Returns what is wrong with it, null if nothing is. */
        @Nullable
        String wrong(ParsedLine line);
    }

    private final Class<? extends Operation> type;
    private final Runner runner;
    private final CliCommand named;
    private final List<Opt> taken = new ArrayList<>();
    private final Map<String, Object> preset = new LinkedHashMap<>();
    private Predicate<Opt> offered = opt -> true;
    private Check complaint = line -> null;
    private String words = "";
    private int refusal = Exit.FAILED;

    private OperationCommand(Class<? extends Operation> type, Runner runner) {
        this.type = type;
        this.runner = runner;
        this.named = Objects.requireNonNull(type.getAnnotation(CliCommand.class));
    }

    /** Begins the command of a type of operations. */
    static OperationCommand of(Class<? extends Operation> type, Runner runner) {
        return new OperationCommand(type, runner);
    }

    /** Makes the commands of some types without anything of their own. */
    static Command[] all(Runner runner, List<Class<? extends Operation>> types) {
        return types.stream().map(type -> of(type, runner).command()).toArray(Command[]::new);
    }

    /** Takes more options, which the operation does not know. */
    OperationCommand taking(Opt... more) {
        taken.addAll(Arrays.asList(more));
        return this;
    }

    /** Offers only some of the options. */
    OperationCommand offering(Predicate<Opt> wanted) {
        offered = wanted;
        return this;
    }

    /** Sets a field that is no option. */
    OperationCommand preset(String field, Object value) {
        preset.put(field, value);
        return this;
    }

    /** Refuses lines with an exit code of its own. */
    OperationCommand refusing(int exit) {
        refusal = exit;
        return this;
    }

    /** Refuses lines that something is wrong with, which the function says; null if nothing is. */
    OperationCommand refusing(Check wrong) {
        complaint = wrong;
        return this;
    }

    /** Returns the command. */
    Command command() {
        return command(named.value());
    }

    /** Returns the command under another name. */
    Command command(String name) {
        String[] parts = name.split(" ", 2);
        List<Opt> options =
                Stream.concat(options(), taken.stream()).filter(offered).toList();
        return new Command(
                parts[0],
                parts.length == 1 ? "" : parts[1],
                words,
                named.help(),
                options,
                (line, session) -> run(name, line, session));
    }

    private Stream<Opt> options() {
        List<Opt> options = new ArrayList<>();
        for (RecordComponent each : type.getRecordComponents()) {
            CliOption option = each.getAnnotation(CliOption.class);
            if (isLevel(each)) {
                options.add(Opt.verbose());
            } else if (option != null && option.words()) {
                words = option.value();
            } else if (option != null) {
                Opt.Kind kind = kind(each.getType());
                String value = kind == Opt.Kind.FLAG ? "" : option.value();
                options.add(new Opt(nameOf(each, option), option.letter(), value, kind, false, option.help()));
                if (!option.alias().isEmpty()) {
                    String same = "the same as --" + nameOf(each, option);
                    options.add(new Opt(option.alias(), (char) 0, value, kind, false, same));
                }
            }
        }
        return options.stream();
    }

    private static boolean isLevel(RecordComponent component) {
        return component.getName().equals("level") && component.getType() == int.class;
    }

    private static String nameOf(RecordComponent component, CliOption option) {
        return option.name().isEmpty() ? OperationCodec.fieldOf(component).replace('_', '-') : option.name();
    }

    private static Opt.Kind kind(Class<?> type) {
        if (type == boolean.class) {
            return Opt.Kind.FLAG;
        }
        if (type == Long.class) {
            return Opt.Kind.LONG;
        }
        return type == int.class || type == Integer.class ? Opt.Kind.NUMBER : Opt.Kind.TEXT;
    }

    private int run(String name, ParsedLine line, Session session) {
        Map<String, Object> fields = new LinkedHashMap<>(preset);
        for (RecordComponent each : type.getRecordComponents()) {
            CliOption option = each.getAnnotation(CliOption.class);
            String contradiction = option == null ? null : contradiction(each, option, line);
            if (contradiction != null) {
                return session.complain(refusal, name + ": " + contradiction);
            }
            Object value =
                    isLevel(each) ? Integer.valueOf(line.level()) : option == null ? null : value(each, option, line);
            if (value != null) {
                fields.put(OperationCodec.fieldOf(each), value);
            } else if (option != null && option.required()) {
                return session.complain(refusal, name + ": " + missing(each, option));
            }
        }
        String wrong = complaint.wrong(line);
        return wrong == null
                ? runner.run(session, OperationCodec.decode(OperationCodec.pathOf(type), fields))
                : session.complain(refusal, name + ": " + wrong);
    }

    /** Two names of one option may stand together if they say the same. */
    private static @Nullable String contradiction(RecordComponent component, CliOption option, ParsedLine line) {
        String first = nameOf(component, option);
        String second = option.alias();
        if (!line.has(first) || !line.has(second)) {
            return null;
        }
        return Objects.equals(value(component, option, first, line), value(component, option, second, line))
                ? null
                : "--" + first + " '" + line.get(first) + "' and --" + second + " '" + line.get(second)
                        + "' are one option with two values; give it once";
    }

    private static String missing(RecordComponent component, CliOption option) {
        String what = option.words() ? option.value() : "--" + nameOf(component, option) + " " + option.value();
        return what + " is missing: " + option.help();
    }

    private static @Nullable Object value(RecordComponent component, CliOption option, ParsedLine line) {
        if (option.words()) {
            List<String> given = component.getType() == List.class
                    ? line.words().stream()
                            .flatMap(word -> ParsedLine.parts(word).stream())
                            .toList()
                    : line.words().stream().limit(1).toList();
            return given.isEmpty() ? null : component.getType() == List.class ? given : given.getFirst();
        }
        String name = nameOf(component, option);
        return value(component, option, line.has(name) || option.alias().isEmpty() ? name : option.alias(), line);
    }

    /** Returns the value that an option has under one of its names. */
    private static @Nullable Object value(RecordComponent component, CliOption option, String used, ParsedLine line) {
        return switch (kind(component.getType())) {
            case FLAG -> line.has(used);
            case NUMBER -> line.number(used);
            case LONG -> line.longNumber(used);
            case TEXT ->
                component.getType() != List.class
                        ? line.get(used)
                        : option.repeated() ? line.all(used) : line.list(used);
        };
    }
}
