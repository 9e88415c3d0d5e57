package org.railyard.cli.demo;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.railyard.lnet.nid.Nid;

/** Addresses of NIDs. */
final class Addresses {
    private Addresses() {}

    static InetAddress of(Nid nid) {
        try {
            return InetAddress.getByAddress(nid.address());
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(nid + " has no IP address", e);
        }
    }
}
