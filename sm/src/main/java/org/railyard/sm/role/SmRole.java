package org.railyard.sm.role;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.railyard.mad.smp.SmInfo;

/**
 * What a subnet manager is among several (spec 41 §1).
 *
 * <pre>
 * role        | goes on with | when
 * not active  | discovering  | start, or Set SMInfo STANDBY
 * discovering | master       | no other master and no higher one was found, or HANDOVER came
 * discovering | standby      | a master, or a higher one, was found
 * standby     | discovering  | the master does not answer, HANDOVER or DISCOVER came
 * standby     | not active   | Set SMInfo DISABLE
 * master      | standby      | a higher one has taken over
 * any         | not active   | stop
 * </pre>
 */
public enum SmRole {
    /** Does nothing until it is told. */
    NOT_ACTIVE(SmInfo.NOT_ACTIVE),
    /** Reads the subnet, and changes nothing. */
    DISCOVERING(SmInfo.DISCOVERING),
    /** Watches the master, and changes nothing. */
    STANDBY(SmInfo.STANDBY),
    /** Manages the subnet. */
    MASTER(SmInfo.MASTER);

    private final int code;

    SmRole(int code) {
        this.code = code;
    }

    /** Returns the value of SMState. */
    public int code() {
        return code;
    }

    /** Returns its name for people. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Returns the role with a value of SMState; {@link #NOT_ACTIVE} for one that is not assigned. */
    static SmRole of(int code) {
        for (SmRole role : values()) {
            if (role.code == code) {
                return role;
            }
        }
        return NOT_ACTIVE;
    }

    /** Returns whether this step is one of the table. */
    boolean leadsTo(SmRole next) {
        Set<SmRole> allowed = switch (this) {
            case NOT_ACTIVE -> EnumSet.of(DISCOVERING);
            case DISCOVERING -> EnumSet.of(MASTER, STANDBY, NOT_ACTIVE);
            case STANDBY -> EnumSet.of(DISCOVERING, NOT_ACTIVE);
            case MASTER -> EnumSet.of(STANDBY, NOT_ACTIVE);
        };
        return allowed.contains(next);
    }
}
