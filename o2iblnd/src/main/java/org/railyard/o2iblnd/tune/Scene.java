package org.railyard.o2iblnd.tune;

import org.jspecify.annotations.Nullable;
import org.railyard.verbs.DeviceAttributes;

/**
 * What the calculator is asked about.
 *
 * @param tunables of this node
 * @param era of this node
 * @param peerTunables of its peers
 * @param peerEra of its peers
 * @param version of the protocol
 * @param device of this node
 * @param registration how memory is registered; null to take what a kernel node takes on the device
 * @param peers how many, from 1
 * @param routes to each peer, from 1: more with channel bonding
 * @param cpts CPU partitions, from 1
 * @param pageBytes size of a page
 */
public record Scene(
        Tunables tunables,
        LustreRelease era,
        Tunables peerTunables,
        LustreRelease peerEra,
        int version,
        DeviceAttributes device,
        @Nullable Registration registration,
        int peers,
        int routes,
        int cpts,
        int pageBytes) {
    /** Most routes to a peer. */
    public static final int MAX_ROUTES = 16;

    /** Two nodes with defaults, on newer cards. */
    public static final Scene DEFAULT = new Scene(
            Tunables.DEFAULT,
            LustreRelease.NOW,
            Tunables.DEFAULT,
            LustreRelease.NOW,
            0x12,
            DeviceAttributes.MLX5,
            null,
            1,
            1,
            1,
            4096);

    /** Checks the counts. */
    public Scene {
        if (peers < 1
                || routes < 1
                || cpts < 1
                || pageBytes < 256
                || peers > 10_000_000
                || routes > MAX_ROUTES
                || cpts > 8192) {
            throw new IllegalArgumentException("peers " + peers + ", routes " + routes + ", cpts " + cpts
                    + ", page size " + pageBytes + ": expected 1…10000000, 1…16, 1…8192, from 256 on");
        }
    }

    /** Returns the same scene with other tunables of this node. */
    public Scene withTunables(Tunables other) {
        return new Scene(
                other, era, peerTunables, peerEra, version, device, registration, peers, routes, cpts, pageBytes);
    }

    /** Returns the same scene with other tunables of the peers. */
    public Scene withPeerTunables(Tunables other) {
        return new Scene(tunables, era, other, peerEra, version, device, registration, peers, routes, cpts, pageBytes);
    }

    /** Returns the same scene in other eras. */
    public Scene withEras(LustreRelease own, LustreRelease ofPeers) {
        return new Scene(
                tunables, own, peerTunables, ofPeers, version, device, registration, peers, routes, cpts, pageBytes);
    }

    /** Returns the same scene with another device. */
    public Scene withDevice(DeviceAttributes other) {
        return new Scene(
                tunables, era, peerTunables, peerEra, version, other, registration, peers, routes, cpts, pageBytes);
    }

    /** Returns the same scene with another registration mode. */
    public Scene withRegistration(@Nullable Registration other) {
        return new Scene(tunables, era, peerTunables, peerEra, version, device, other, peers, routes, cpts, pageBytes);
    }

    /** Returns the same scene with another version of the protocol. */
    public Scene withVersion(int other) {
        return new Scene(
                tunables, era, peerTunables, peerEra, other, device, registration, peers, routes, cpts, pageBytes);
    }

    /** Returns the same scene with other counts. */
    public Scene withCounts(int otherPeers, int otherRoutes, int otherCpts) {
        return new Scene(
                tunables,
                era,
                peerTunables,
                peerEra,
                version,
                device,
                registration,
                otherPeers,
                otherRoutes,
                otherCpts,
                pageBytes);
    }
}
