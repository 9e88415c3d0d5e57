package org.railyard.sm.program;

import org.railyard.fabric.torus.qos.QosSettings;

/**
 * What ports are set to beside what the subnet gives them (spec 41 §4).
 *
 * @param gidPrefix of the subnet
 * @param maxOpVls cap on data VLs, coded as VLCap: 1 to 5
 * @param subnetTimeout 4.096 µs · 2^n
 * @param lifeTime of packets in switches, 4.096 µs · 2^n
 * @param hoqSwitch of packets at the head of a queue towards a switch, 4.096 µs · 2^n
 * @param hoqEnd the same towards an end port
 * @param qos VL arbitration of each kind of port
 * @param highLimits VLHighLimit of each kind of port
 * @param key M_Key of end ports
 * @param enforcement what switches hold against the P_Keys of end ports
 */
public record PortPolicy(
        long gidPrefix,
        int maxOpVls,
        int subnetTimeout,
        int lifeTime,
        int hoqSwitch,
        int hoqEnd,
        QosSettings qos,
        HighLimits highLimits,
        ManagementKey key,
        PartitionEnforcement enforcement) {}
