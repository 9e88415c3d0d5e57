package org.railyard.verbs;

/** A network card (HCA). {@link #name}, {@link #attributes} and {@link #port} may be called from any thread. */
public interface VerbsDevice {
    /** Returns the name, for example {@code mlx5_0}. */
    String name();

    /** Returns what it is able to do. */
    DeviceAttributes attributes();

    /** Returns the number of the NUMA node that the card is on, −1 if unknown. May be called from any thread. */
    default int numaNode() {
        return -1;
    }

    /**
     * Returns the present state of a port.
     *
     * @param number 1 … {@link DeviceAttributes#ports}
     * @throws VerbsException EINVAL if there is no such port
     */
    PortAttributes port(int number);

    /**
     * Tells of what happens to the device, its ports, and the queues on it, from now on.
     *
     * @param loop where the listener is called
     */
    void listen(EventLoop loop, AsyncListener listener);

    /** Ends what {@link #listen} began; to be called in the loop that was given there. */
    void unlisten(AsyncListener listener);

    /**
     * Makes a protection domain.
     *
     * @throws VerbsException ENODEV if the device is broken
     */
    Pd openPd();

    /**
     * Makes a completion queue that belongs to the loop.
     *
     * @param entries how many completions it can hold, from 1
     * @param listener is told that there are completions, once after each {@link Cq#arm}
     * @throws VerbsException EINVAL if it can not be that long, ENOMEM if there are too many
     */
    Cq createCq(int entries, EventLoop loop, CqListener listener);
}
