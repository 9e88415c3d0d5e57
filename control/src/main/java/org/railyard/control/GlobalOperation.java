package org.railyard.control;

/** Node-wide settings (spec 12 §2.5). */
public sealed interface GlobalOperation extends Operation {
    /**
     * Changes one setting.
     *
     * @param name its name, one of {@code global show} or of the node's tunables
     * @param value a number, or the name of a choice
     */
    record Set(String name, String value) implements GlobalOperation, Edit {
        @Override
        public String verb() {
            return "add";
        }

        @Override
        public String entity() {
            return name.equals("max_recovery_ping_interval") ? "maximum recovery ping interval" : name;
        }
    }

    /**
     * Shows the settings.
     *
     * @param java also those that only this node has
     */
    record Show(boolean java) implements GlobalOperation, Query {}
}
