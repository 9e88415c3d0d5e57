package org.railyard.o2iblnd.tune;

/**
 * One result of the calculator.
 *
 * @param scope what it is about
 * @param name its name within the scope, as in YAML
 * @param value the number
 * @param text the number as it is shown
 * @param unit what it counts
 */
public record Figure(Scope scope, String name, double value, String text, String unit) {
    /** What a figure is about. */
    public enum Scope {
        /** Tunables that count. */
        EFFECTIVE("effective"),
        /** One connection. */
        CONNECTION("connection"),
        /** All connections with one peer. */
        PEER("peer"),
        /** One node with all its peers. */
        NODE("node"),
        /** All nodes, each connected with each. */
        CLUSTER("cluster"),
        /** What a node that runs has at the moment. */
        LIVE("live");

        private final String text;

        Scope(String text) {
            this.text = text;
        }

        /** Returns the name. */
        public String text() {
            return text;
        }
    }

    /** Returns scope and name. */
    public String fullName() {
        return scope.text + "." + name;
    }
}
