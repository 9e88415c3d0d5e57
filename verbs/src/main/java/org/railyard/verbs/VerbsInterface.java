package org.railyard.verbs;

/**
 * An interface with an IP address on a port of a device.
 *
 * @param name for example {@code ib0}
 * @param ip first octet in the highest bits
 * @param device the device
 * @param port number of the port, from 1
 */
public record VerbsInterface(String name, int ip, VerbsDevice device, int port) {}
