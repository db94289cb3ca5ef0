// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Logging

/// The owners of the supervisor's state.
///
/// Each owner's state is private. An owner calls those that were made before it; what goes the other way goes through a
/// protocol of the owner that calls.
final class SupervisorOwners {
    /// The way back to each owner that waits for something.
    struct Timetables {
        let sites: Timetable<ExtensionSites>
        let openerProcess: Timetable<OpenerProcess>
        let opener: Timetable<OpenerClient>
        let sealedFiles: Timetable<SealedFileDesk>
        let listener: Timetable<WorkerListener>
        let pool: Timetable<WorkerPool>
        let watch: Timetable<WorkerWatch>
        let files: Timetable<RunFiles>
        let runs: Timetable<RunDesk>
        let viewQuestions: Timetable<ViewQuestions>
        let viewFiles: Timetable<ViewFiles>
        let viewGifts: Timetable<ViewGifts>
        let viewWatch: Timetable<ViewWatch>
        let views: Timetable<ViewDesk>
    }

    let sites: ExtensionSites
    let openerProcess: OpenerProcess
    let opener: OpenerClient
    let sealedFiles: SealedFileDesk
    let scratch: ScratchDesk
    let staffing: Staffing
    let listener: WorkerListener
    let pool: WorkerPool
    let watch: WorkerWatch
    let files: RunFiles
    let runs: RunDesk
    let viewQuestions: ViewQuestions
    let viewFiles: ViewFiles
    let viewGifts: ViewGifts
    let viewWatch: ViewWatch
    let views: ViewDesk
    /// Looks at and removes what extensions store.
    let storageQueue: DispatchQueue

    init(
        configuration: SupervisorConfiguration,
        launcher: Launcher,
        gate: StartGate,
        logger: Logger,
        firstOwners: [String: String],
        timetables: Timetables,
        processEnded: @escaping () -> Void
    ) {
        let equipment = Equipment(
            configuration: configuration,
            launcher: launcher,
            gate: gate,
            serials: SerialNumbers(),
            logger: logger,
            storageQueue: DispatchQueue(label: "storage"),
            keychainQueue: DispatchQueue(label: "keychain"),
            processEnded: processEnded
        )
        sites = ExtensionSites(equipment, firstOwners: firstOwners, timetable: timetables.sites)
        storageQueue = equipment.storageQueue
        openerProcess = OpenerProcess(equipment, timetable: timetables.openerProcess)
        opener = OpenerClient(equipment, process: openerProcess, timetable: timetables.opener)
        sealedFiles = SealedFileDesk(opener: opener, serials: equipment.serials, timetable: timetables.sealedFiles)
        scratch = ScratchDesk(launcher)
        staffing = Staffing((0..<sites.count).map(sites.terms), bounds: configuration.bounds)
        let courier = ScratchCourier(equipment, desk: scratch)
        listener = WorkerListener(equipment, staffing: staffing, courier: courier, timetable: timetables.listener)
        pool = WorkerPool(
            equipment,
            sites: sites,
            staffing: staffing,
            listener: listener,
            timetable: timetables.pool
        )
        watch = WorkerWatch(
            equipment,
            pool: pool,
            staffing: staffing,
            listener: listener,
            scratch: scratch,
            timetable: timetables.watch
        )
        files = RunFiles(equipment, courier: courier, pool: pool, timetable: timetables.files)
        runs = RunDesk(
            equipment,
            sites: sites,
            staffing: staffing,
            listener: listener,
            pool: pool,
            watch: watch,
            courier: courier,
            files: files,
            timetable: timetables.runs
        )
        viewQuestions = ViewQuestions(equipment, timetable: timetables.viewQuestions)
        viewGifts = ViewGifts(equipment, courier: courier, timetable: timetables.viewGifts)
        viewFiles = ViewFiles(equipment, courier: courier, gifts: viewGifts, timetable: timetables.viewFiles)
        viewWatch = ViewWatch(equipment, timetable: timetables.viewWatch)
        views = ViewDesk(
            equipment,
            sites: sites,
            staffing: staffing,
            questions: viewQuestions,
            files: viewFiles,
            gifts: viewGifts,
            watch: viewWatch,
            timetable: timetables.views
        )
        pool.join(runs, watch)
    }
}
