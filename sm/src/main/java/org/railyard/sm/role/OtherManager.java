package org.railyard.sm.role;

import org.railyard.mad.smp.SmInfo;
import org.railyard.mad.wire.DirectedPath;

/**
 * Another subnet manager, as it said of itself.
 *
 * @param name of its port
 * @param path by which it was asked
 * @param lid of its port, 0 if it has none
 * @param guid of its port
 * @param priority 0 to 15
 * @param role what it is
 * @param key its SM_Key, 0 if it has or tells none
 * @param info all that it said
 */
public record OtherManager(
        String name, DirectedPath path, int lid, long guid, int priority, SmRole role, long key, SmInfo info) {
    static OtherManager of(String name, DirectedPath path, int lid, SmInfo info) {
        return new OtherManager(
                name,
                path,
                lid,
                info.get(SmInfo.GUID),
                info.getInt(SmInfo.PRIORITY),
                SmRole.of(info.getInt(SmInfo.STATE)),
                info.get(SmInfo.SM_KEY),
                SmInfo.TYPE.copy(info));
    }

    /** Returns the same with what it said later. */
    OtherManager with(SmInfo said) {
        return of(name, path, lid, said);
    }

    /** Returns whether it goes before one with this priority and port GUID: larger priority, then smaller GUID. */
    public boolean isHigherThan(int otherPriority, long otherGuid) {
        return priority != otherPriority ? priority > otherPriority : Long.compareUnsigned(guid, otherGuid) < 0;
    }

    /** Returns what it is called in messages. */
    public String text() {
        return "%s (%s, priority %d, GUID 0x%016x)".formatted(name, role.text(), priority, guid);
    }
}
