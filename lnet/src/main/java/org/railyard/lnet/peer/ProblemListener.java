package org.railyard.lnet.peer;

/** Takes what is wrong with an announcement or a configuration, in words. Called with the lock held; writes later. */
@FunctionalInterface
public interface ProblemListener {
    /**
     * Takes a line.
     *
     * @param level how bad it is
     * @param topic lines of one topic are limited together
     * @param line the line
     */
    void complain(System.Logger.Level level, String topic, String line);
}
