package org.railyard.sm.conf;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** All settings that OpenSM 3.3.23 writes into a new {@code opensm.conf}, with their kinds and defaults. */
final class OpenSmKeys {
    /** A line each: name, kind, default. Where OpenSM has no limit that can be used here, it is ours. */
    private static final String TABLE = """
        guid word 0x0000000000000000
        m_key word 0x0000000000000000
        m_key_lease_period 65535 0
        m_key_protection_level 3 0
        m_key_lookup bool TRUE
        sm_key word 0x0000000000000001
        sa_key word 0x0000000000000001
        subnet_prefix word 0xfe80000000000000
        lmc 7 0
        lmc_esp0 bool FALSE
        sm_sl 15 0
        packet_life_time 31 0x12
        vl_stall_count 7 0x07
        leaf_vl_stall_count 7 0x07
        head_of_queue_lifetime 31 0x12
        leaf_head_of_queue_lifetime 31 0x10
        max_op_vls 1-5 5
        force_link_speed 15 15
        force_link_speed_ext 31 31
        force_link_width 255 255
        fdr10 2 1
        subnet_timeout 31 18
        local_phy_errors_threshold 15 0x08
        overrun_errors_threshold 15 0x08
        use_mfttop bool TRUE
        partition_config_file text /etc/opensm/partitions.conf
        no_partition_enforcement bool FALSE
        part_enforce both|in|out|off both
        allow_both_pkeys bool FALSE
        keep_pkey_indexes bool TRUE
        sm_assigned_guid 255 0x00
        sweep_interval 4294967295 10
        reassign_lids bool FALSE
        force_heavy_sweep bool FALSE
        sweep_on_trap bool TRUE
        port_profile_switch_nodes bool FALSE
        port_prof_ignore_file text (null)
        hop_weights_file text (null)
        port_search_ordering_file text (null)
        routing_engine text (null)
        avoid_throttled_links bool FALSE
        connect_roots bool FALSE
        use_ucast_cache bool FALSE
        lid_matrix_dump_file text (null)
        lfts_file text (null)
        root_guid_file text (null)
        cn_guid_file text (null)
        io_guid_file text (null)
        quasi_ftree_indexing bool FALSE
        max_reverse_hops 4294967295 0
        ids_guid_file text (null)
        guid_routing_order_file text (null)
        do_mesh_analysis bool FALSE
        lash_start_vl 15 0
        nue_max_num_vls 4294967295 1
        nue_include_switches bool FALSE
        port_shifting bool FALSE
        scatter_ports 4294967295 0
        guid_routing_order_no_scatter bool FALSE
        sa_db_file text (null)
        sa_db_dump bool FALSE
        torus_config text /etc/opensm/torus-2QoS.conf
        sm_priority 15 0
        ignore_other_sm bool FALSE
        sminfo_polling_timeout 1-4294967295 10000
        polling_retry_number 4294967295 4
        honor_guid2lid_file bool FALSE
        max_wire_smps 4294967295 4
        max_wire_smps2 4294967295 4
        max_smps_timeout 4294967295 600000
        transaction_timeout 1-600000 200
        transaction_retries 4294967295 3
        long_transaction_timeout 4294967295 500
        max_msg_fifo_timeout 4294967295 10000
        single_thread bool FALSE
        daemon bool FALSE
        sm_inactive bool FALSE
        babbling_port_policy bool FALSE
        drop_event_subscriptions bool FALSE
        ipoib_mcgroup_creation_validation bool TRUE
        mcgroup_join_validation bool TRUE
        use_original_extended_sa_rates_only bool FALSE
        use_optimized_slvl bool FALSE
        fsync_high_avail_files bool TRUE
        perfmgr bool FALSE
        perfmgr_redir bool TRUE
        perfmgr_sweep_time_s 4294967295 180
        perfmgr_max_outstanding_queries 4294967295 500
        perfmgr_ignore_cas bool FALSE
        perfmgr_rm_nodes bool TRUE
        perfmgr_log_errors bool TRUE
        perfmgr_query_cpi bool TRUE
        perfmgr_xmit_wait_log bool FALSE
        perfmgr_xmit_wait_threshold 4294967295 65535
        event_db_dump_file text (null)
        event_plugin_name text (null)
        event_plugin_options text (null)
        node_name_map_name text (null)
        log_flags 255 0x03
        force_log_flush bool FALSE
        log_file text /var/log/opensm.log
        log_max_size 4294967295 0
        accum_log_file bool TRUE
        per_module_logging_file text /etc/opensm/per-module-logging.conf
        dump_files_dir text /var/log/
        enable_quirks bool FALSE
        no_clients_rereg bool FALSE
        disable_multicast bool FALSE
        exit_on_fatal bool TRUE
        console text off
        console_port 65535 10000
        qos bool FALSE
        qos_policy_file text /etc/opensm/qos-policy.conf
        suppress_sl2vl_mad_status_errors bool FALSE
        qos_max_vls 15 0
        qos_high_limit 255 -1
        qos_vlarb_high text (null)
        qos_vlarb_low text (null)
        qos_sl2vl text (null)
        qos_ca_max_vls 15 0
        qos_ca_high_limit 255 -1
        qos_ca_vlarb_high text (null)
        qos_ca_vlarb_low text (null)
        qos_ca_sl2vl text (null)
        qos_sw0_max_vls 15 0
        qos_sw0_high_limit 255 -1
        qos_sw0_vlarb_high text (null)
        qos_sw0_vlarb_low text (null)
        qos_sw0_sl2vl text (null)
        qos_swe_max_vls 15 0
        qos_swe_high_limit 255 -1
        qos_swe_vlarb_high text (null)
        qos_swe_vlarb_low text (null)
        qos_swe_sl2vl text (null)
        qos_rtr_max_vls 15 0
        qos_rtr_high_limit 255 -1
        qos_rtr_vlarb_high text (null)
        qos_rtr_vlarb_low text (null)
        qos_rtr_sl2vl text (null)
        congestion_control bool FALSE
        cc_key word 0x0000000000000000
        cc_max_outstanding_mads 4294967295 500
        cc_sw_cong_setting_control_map text 0x0
        cc_sw_cong_setting_victim_mask text 0x0000000000000000000000000000000000000000000000000000000000000000
        cc_sw_cong_setting_credit_mask text 0x0000000000000000000000000000000000000000000000000000000000000000
        cc_sw_cong_setting_threshold text 0x00
        cc_sw_cong_setting_packet_size text 0
        cc_sw_cong_setting_credit_starvation_threshold text 0x00
        cc_sw_cong_setting_credit_starvation_return_delay text 0:0
        cc_sw_cong_setting_marking_rate text 0
        cc_ca_cong_setting_port_control text 0x0000
        cc_ca_cong_setting_control_map text 0x0000
        cc_ca_cong_setting_ccti_timer text 0 0
        cc_ca_cong_setting_ccti_increase text 0 0
        cc_ca_cong_setting_trigger_threshold text 0 0
        cc_ca_cong_setting_ccti_min text 0 0
        cc_cct text (null)
        prefix_routes_file text /etc/opensm/prefix-routes.conf
        consolidate_ipv6_snm_req bool FALSE
        log_prefix text (null)
        """;

    /**
     * What the value of a setting is; the kind is {@code bool}, {@code text}, {@code word}, names, a maximum, or a
     * minimum and a maximum.
     */
    record Key(String name, String kind, String standard) {
        boolean isBool() {
            return kind.equals("bool");
        }

        boolean isText() {
            return kind.equals("text");
        }

        /** A number of 64 bits, unsigned. */
        boolean isWord() {
            return kind.equals("word");
        }

        /** One of some names, with bars between. */
        boolean isChoice() {
            return kind.contains("|");
        }

        /** The smallest number. */
        long min() {
            int dash = kind.indexOf('-');
            return dash < 0 ? 0 : Long.parseLong(kind.substring(0, dash));
        }

        /** The largest number. */
        long max() {
            return Long.parseLong(kind.substring(kind.indexOf('-') + 1));
        }
    }

    /** By name. */
    static final Map<String, Key> ALL = all();

    private OpenSmKeys() {}

    private static Map<String, Key> all() {
        Map<String, Key> all = new TreeMap<>();
        for (String line : TABLE.lines().toList()) {
            String[] words = line.split(" ", 3);
            all.put(words[0], new Key(words[0], words[1], words[2]));
        }
        return Collections.unmodifiableMap(all);
    }
}
