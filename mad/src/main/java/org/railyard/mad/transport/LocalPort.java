package org.railyard.mad.transport;

/**
 * The port of this machine that a transport stands at.
 *
 * @param device name of the device
 * @param port its number on the device
 * @param portGuid its GUID
 */
public record LocalPort(String device, int port, long portGuid) {
    /** Returns device and port as tools write them. */
    @Override
    public String toString() {
        return device + "/" + port;
    }
}
