package org.railyard.config;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;

/** The order in which tunables are changed, so that they go together in between if they do in the end. */
final class SettingsOrder {
    private SettingsOrder() {}

    /**
     * Returns the changes in order. The transaction timeout goes first where it makes room for the retry count and the
     * resend interval, and last where they make room for it; the retry count follows the health sensitivity, which may
     * allow it.
     *
     * @param now the settings that are changed
     */
    static List<SettingSpec> of(List<SettingSpec> changes, Settings now) {
        List<SettingSpec> ordered = new ArrayList<>();
        SettingSpec retries = null;
        SettingSpec limit = null;
        for (SettingSpec each : changes) {
            switch (each.tunable()) {
                case RETRY_COUNT -> retries = each;
                case TRANSACTION_TIMEOUT -> limit = each;
                default -> ordered.add(each);
            }
        }
        if (retries != null) {
            ordered.add(retries);
        }
        if (limit != null) {
            boolean rises = limit.value() > now.get(Tunable.TRANSACTION_TIMEOUT);
            ordered.add(rises ? 0 : ordered.size(), limit);
        }
        return ordered;
    }

    /**
     * Returns the settings with everything changed.
     *
     * @throws org.railyard.base.ErrnoException ERANGE if it does not go together
     */
    static Settings apply(List<SettingSpec> changes, @Nullable CompatProfile profile, Settings now) {
        Map<Tunable, Integer> values = new EnumMap<>(Tunable.class);
        changes.forEach(each -> values.put(each.tunable(), each.value()));
        return (profile == null ? now : now.withProfile(profile)).with(values);
    }
}
