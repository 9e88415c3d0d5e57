package org.railyard.control;

import org.jspecify.annotations.Nullable;

/** The configuration as a whole (spec 12 §5, §6). */
public sealed interface ConfigOperation extends Operation {
    /**
     * Returns all there is as one document.
     *
     * @param backup only what can be configured, as {@link Import} reads it
     */
    record Export(boolean backup) implements ConfigOperation, Query {}

    /**
     * Does what a document says: all of it, or, if anything is wrong with it, nothing. What is only odd in it is in the
     * answer: {@code warnings}, a list of texts with file, line and column.
     *
     * @param text the document, YAML
     * @param file its name, for messages
     * @param mode {@code add}, {@code del}, {@code exec}; {@code show} for the nets and routes that it lists, {@code
     *     show-all} for all that it lists; absent for {@code add}
     * @param check only tell what would change
     * @param confirmWithin s after which the change is undone unless it is confirmed; absent to keep it
     */
    record Import(
            String text,
            @Nullable String file,
            @Nullable String mode,
            boolean check,
            @Nullable Integer confirmWithin) implements ConfigOperation, Edit {
        @Override
        public String verb() {
            return "del".equals(mode) ? "del" : "add";
        }
    }

    /** Keeps a change that waits to be confirmed. */
    @CliCommand(value = "confirm", help = "keep a change that waits to be confirmed")
    record Confirm() implements ConfigOperation, Change {}

    /** Takes back the last change of the configuration. */
    @CliCommand(value = "undo", help = "take back the last change of the configuration")
    record Undo() implements ConfigOperation, Change {}

    @Override
    default String entity() {
        return action();
    }
}
