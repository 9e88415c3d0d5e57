package org.railyard.roce.net.linux;

/**
 * The system calls that are used, as {@code man 2} describes them. Pointers are addresses; a call that fails returns
 * −errno. Used by one thread at a time, but for {@link #write}.
 */
interface SocketCalls {
    /** Opens an IPv4 socket for datagrams that does not block; returns its file descriptor. */
    int socket();

    int bind(int fd, long address, int length);

    /** Sets an option that is a number. */
    int setOption(int fd, int level, int option, int value);

    /** Returns the value of an option that is a number, from 0. */
    int option(int fd, int level, int option);

    /** Opens a counter that does not block; returns its file descriptor. */
    int eventfd();

    int close(int fd);

    /** Sends without blocking; returns how many messages were sent. */
    int sendMessages(int fd, long messages, int count);

    /** Receives without blocking; returns how many messages came. */
    int receiveMessages(int fd, long messages, int count);

    /**
     * Waits.
     *
     * @param timeout address of seconds and nanoseconds
     */
    int poll(long files, int count, long timeout);

    int read(int fd, long to, int bytes);

    /** Writes to a counter; its errors do not matter. From any thread. */
    void write(int fd, long from, int bytes);
}
