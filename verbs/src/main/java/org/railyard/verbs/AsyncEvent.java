package org.railyard.verbs;

/**
 * Something that happened to a device, without anybody having asked.
 *
 * @param type what happened
 * @param port the port, from 1; 0 if it is not about one
 * @param qpNumber the queue pair; 0 if it is not about one
 */
public record AsyncEvent(Type type, int port, int qpNumber) {
    /** What happened. */
    public enum Type {
        /** The device does not work any more; all its queue pairs are in error. */
        DEVICE_FATAL,
        /** The device was taken away. */
        DEVICE_REMOVED,
        /** The port carries data, maybe at another speed than before. */
        PORT_ACTIVE,
        /** The port carries nothing. */
        PORT_ERROR,
        /**
         * The paths of the port may be others than they were: it has another LID, another subnet manager is master, or
         * this one wants all to ask again (spec 24 §6.1). Connections keep the path that they were made with.
         */
        PATHS_CHANGED,
        /**
         * A message came before the connection was known to be up: to be passed on to {@link
         * CmId#communicationEstablished}.
         */
        QP_COMMUNICATION_ESTABLISHED,
        /** A queue pair went to error because of what its peer did. */
        QP_FATAL,
        /** A completion queue was full when a completion came; everything on it is lost. */
        CQ_ERROR
    }

    /** Makes an event of the whole device. */
    public static AsyncEvent ofDevice(Type type) {
        return new AsyncEvent(type, 0, 0);
    }

    /** Makes an event of a port. */
    public static AsyncEvent ofPort(Type type, int port) {
        return new AsyncEvent(type, port, 0);
    }

    /** Makes an event of a queue pair. */
    public static AsyncEvent ofQp(Type type, int qpNumber) {
        return new AsyncEvent(type, 0, qpNumber);
    }
}
