package org.railyard.sm.role;

import java.util.ArrayList;
import java.util.List;
import org.railyard.base.ErrnoException;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.smp.SmInfo;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadReceiver;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;

/** A subnet manager that says of itself what it is told to, and does nothing. */
final class ScriptedManager implements MadReceiver {
    /** Modifiers of the Sets that it got. */
    final List<Integer> sets = new ArrayList<>();

    final SimulatedPort port;
    long guid;
    int priority;
    SmRole role;
    long key = RoleSettings.DEFAULT.smKey();
    boolean isSilent;
    boolean refuses;

    /** How often it was asked who it is. */
    int asked;

    ScriptedManager(SimulatedPort port, int priority, SmRole role) {
        this.port = port;
        this.guid = port.port().portGuid();
        this.priority = priority;
        this.role = role;
        port.receiver(this);
        port.markSm(true);
    }

    SmInfo info() {
        return SmInfo.TYPE
                .create()
                .set(SmInfo.GUID, guid)
                .set(SmInfo.SM_KEY, key)
                .set(SmInfo.PRIORITY, priority)
                .set(SmInfo.STATE, role.code());
    }

    @Override
    public void received(Mad mad, MadAddress from) {
        boolean isSet = mad.is(MadMethod.SET, false);
        if (!mad.isAbout(SmInfo.TYPE) || !isSet && !mad.is(MadMethod.GET, false)) {
            return;
        }
        asked += isSet ? 0 : 1;
        if (isSet) {
            sets.add(mad.modifier());
        }
        if (!isSilent) {
            int status = isSet && refuses ? MadStatus.BAD_VALUE : MadStatus.OK;
            role = isSet && !refuses && mad.modifier() == SmInfo.HANDOVER ? SmRole.MASTER : role;
            port.send(mad.answer(status, 0).setData(SmInfo.TYPE, info()), from.forAnswer(mad.mgmtClass()), 0);
        }
    }

    @Override
    public void undelivered(Mad mad, int errno) {}

    @Override
    public void failed(ErrnoException why) {}
}
