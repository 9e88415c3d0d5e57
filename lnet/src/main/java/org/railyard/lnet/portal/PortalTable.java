package org.railyard.lnet.portal;

import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.wire.Wire;

/** The portals of a node. */
public final class PortalTable {
    private final Portal[] portals = new Portal[Wire.PORTALS];

    /** Makes the portals; portal 0 is lazy. */
    public PortalTable() {
        for (int i = 0; i < portals.length; i++) {
            portals[i] = new Portal(i);
        }
        portals[Wire.RESERVED_PORTAL].setLazy(true);
    }

    /**
     * Returns a portal for the node's own use.
     *
     * @throws ErrnoException EINVAL if there is no such portal
     */
    public Portal get(int index) {
        Portal portal = find(index);
        if (portal == null) {
            throw new ErrnoException(Errno.EINVAL, "portal " + index + "; there are portals 0…" + (Wire.PORTALS - 1));
        }
        return portal;
    }

    /** Returns a portal that a message names, or null if there is none. */
    public @Nullable Portal find(int index) {
        return index < 0 || index >= portals.length ? null : portals[index];
    }

    /**
     * Checks the PUTs that wait.
     *
     * @throws AssertionError if one of them is not as it should be
     */
    public void checkInvariants() {
        for (Portal portal : portals) {
            portal.checkInvariants();
        }
    }
}
