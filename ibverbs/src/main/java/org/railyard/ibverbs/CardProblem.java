package org.railyard.ibverbs;

import java.util.List;

/**
 * Something that keeps LNet from using cards, or from using them well.
 *
 * @param kind what it is
 * @param subject a card, a port of one, or empty if it is the machine
 * @param found what was found
 * @param remedy what to do
 * @param interfaces network interfaces that it is about, such as {@code ib0}
 */
public record CardProblem(Kind kind, String subject, String found, String remedy, List<String> interfaces) {
    /** What is wrong. */
    public enum Kind {
        /** There are no cards: the text says what is missing. */
        ABSENT,
        /** A card does not answer. */
        SILENT,
        /** Less memory may be registered than an NI needs. */
        MEMORY,
        /** The port of the service must not be listened at. */
        SERVICE_PORT,
        /** A daemon gives paths without regard to types of service. */
        PATH_DAEMON,
        /** A port has no link. */
        PORT_DOWN,
        /** A port waits for a subnet manager. */
        PORT_WAITS,
        /** A port has no IP address. */
        NO_ADDRESS,
        /** Several ports are in one IP subnet. */
        ONE_SUBNET
    }

    /** Copies the list. */
    public CardProblem {
        interfaces = List.copyOf(interfaces);
    }

    CardProblem(Kind kind, String subject, String found, String remedy) {
        this(kind, subject, found, remedy, List.of());
    }

    /** Returns it as a line, with what to do. */
    public String line() {
        return (subject.isEmpty() ? "" : subject + " ") + found + (remedy.isEmpty() ? "" : "; " + remedy);
    }

    @Override
    public String toString() {
        return line();
    }
}
