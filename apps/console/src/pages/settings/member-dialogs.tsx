// What can be done to a member: another role, other projects, the offer of ownership, removal with what happens to their keys.
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { type Answers, api, type Inputs } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { useMay } from "../../lib/session.ts";
import { t as shared } from "../../lib/texts.ts";
import { t as shell } from "../../shell/account-texts.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { iconButtonClass } from "../../ui/button.tsx";
import { RadioCards } from "../../ui/choices.tsx";
import { createForm } from "../../ui/create-form.ts";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { FormFrame, SubmitButton } from "../../ui/form.tsx";
import { Ellipsis } from "../../ui/icons.ts";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { useSeveralProjects } from "../shared/projects.tsx";
import { type ProjectScope, ProjectScopeField } from "./project-scope.tsx";
import { t } from "./team-texts.ts";

export type ListedMember = Answers["members"]["list"][number];

export type MemberChange = {
  readonly kind: "role" | "projects" | "offer" | "remove";
  readonly member: ListedMember;
};

type KeyFate = Inputs["members"]["remove"]["keys"];

/** Nobody is made an owner here: ownership is offered. */
export const roleChoices = (["admin", "billing", "developer", "viewer"] as const).map((value) => ({
  value,
  label: shell(`role.${value}`),
  hint: t(`roleHints.${value}`),
}));

type MemberMenuProps = {
  of: ListedMember;
  onChange: (change: MemberChange) => void;
  onDone: () => void;
};

export function MemberMenu(props: MemberMenuProps): JSX.Element {
  const isOwner = useMay("account.own");
  const several = useSeveralProjects();
  const may = () => isOwner() || props.of.role !== "owner";
  const open = (kind: MemberChange["kind"]) => props.onChange({ kind, member: props.of });
  const withdraw = useMutation(() => ({
    mutationFn: () => api.accounts.withdrawOwnership.mutate({ personId: props.of.id }),
    onSuccess: props.onDone,
    onError: (error) => showToast({ text: describeFailure(readFailure(error)), isError: true }),
  }));
  return (
    <Show when={may()}>
      <Menu
        label={t("members.menu", { email: props.of.email })}
        triggerClass={iconButtonClass()}
        trigger={<Ellipsis class="size-4" aria-hidden="true" />}
      >
        <MenuItem changes onSelect={() => open("role")}>
          {t("members.changeRole")}
        </MenuItem>
        <Show when={several() && !hasAllProjects(props.of)}>
          <MenuItem changes onSelect={() => open("projects")}>
            {t("scope.change")}
          </MenuItem>
        </Show>
        <Show when={isOwner() && props.of.role !== "owner"}>
          <Show
            when={props.of.isOfferedOwnership}
            fallback={
              <MenuItem changes onSelect={() => open("offer")}>
                {t("members.offer")}
              </MenuItem>
            }
          >
            <MenuItem changes onSelect={() => withdraw.mutate()}>
              {t("members.withdraw")}
            </MenuItem>
          </Show>
        </Show>
        <MenuItem changes destructive onSelect={() => open("remove")}>
          {t("members.remove")}
        </MenuItem>
      </Menu>
    </Show>
  );
}

/** Whatever is set for them. */
function hasAllProjects({ role }: ListedMember): boolean {
  return role === "owner" || role === "admin";
}

type MemberDialogsProps = {
  change: MemberChange | undefined;
  onClose: () => void;
  onDone: () => void;
};

export function MemberDialogs(props: MemberDialogsProps): JSX.Element {
  const memberOf = (kind: MemberChange["kind"]) =>
    props.change?.kind === kind ? props.change.member : undefined;
  const done = (text: string) => {
    props.onClose();
    props.onDone();
    showToast(text);
  };
  return (
    <>
      <Show when={memberOf("role")} keyed>
        {(member) => <RoleDialog member={member} onClose={props.onClose} onDone={done} />}
      </Show>
      <Show when={memberOf("projects")} keyed>
        {(member) => <ProjectsDialog member={member} onClose={props.onClose} onDone={done} />}
      </Show>
      <OfferDialog member={memberOf("offer")} onClose={props.onClose} onDone={done} />
      <RemoveDialog member={memberOf("remove")} onClose={props.onClose} onDone={done} />
    </>
  );
}

type DialogProps<Member> = {
  member: Member;
  onClose: () => void;
  onDone: (text: string) => void;
};

function RoleDialog(props: DialogProps<ListedMember>): JSX.Element {
  const { email, id: personId, role } = props.member;
  const form = createForm({
    initial: { role: role === "owner" ? "admin" : role },
    async submit(chosen) {
      await api.members.changeRole.mutate({ personId, role: chosen.role });
      const name = shell(`role.${chosen.role}`).toLowerCase();
      props.onDone(t("members.saved", { email, role: name }));
    },
  });
  return (
    <Dialog open onOpenChange={props.onClose} title={t("members.changeRoleTitle", { email })}>
      <FormFrame form={form}>
        <RadioCards
          legend={t("members.role")}
          hideLegend
          name="role"
          value={form.values.role}
          onChange={(chosen) => form.set("role", chosen)}
          choices={roleChoices}
        />
        <DialogActions>
          <SubmitButton form={form} pendingLabel={t("members.save")}>
            {t("members.save")}
          </SubmitButton>
        </DialogActions>
      </FormFrame>
    </Dialog>
  );
}

function ProjectsDialog(props: DialogProps<ListedMember>): JSX.Element {
  const { email, id: personId } = props.member;
  const [projectIds, setProjectIds] = createSignal<ProjectScope>(props.member.projectIds);
  const [missing, setMissing] = createSignal(false);
  const form = createForm({
    initial: {},
    async submit() {
      const chosen = projectIds();
      setMissing(chosen?.length === 0);
      if (chosen?.length === 0) return;
      await api.members.setProjects.mutate({ personId, projectIds: chosen && [...chosen] });
      props.onDone(t("scope.saved", { email }));
    },
  });
  return (
    <Dialog open onOpenChange={props.onClose} title={t("scope.changeTitle", { email })}>
      <FormFrame form={form}>
        <ProjectScopeField
          value={projectIds()}
          onChange={setProjectIds}
          error={missing() ? t("scope.missing") : undefined}
        />
        <DialogActions>
          <SubmitButton form={form} pendingLabel={shared("action.saving")}>
            {t("scope.change")}
          </SubmitButton>
        </DialogActions>
      </FormFrame>
    </Dialog>
  );
}

function OfferDialog(props: DialogProps<ListedMember | undefined>): JSX.Element {
  const email = () => props.member?.email ?? "";
  const offer = useMutation(() => ({
    mutationFn: (personId: string) => api.accounts.offerOwnership.mutate({ personId }),
    onSuccess: () => props.onDone(t("members.offerDone", { email: email() })),
  }));
  return (
    <AlertDialog
      open={props.member !== undefined}
      onOpenChange={props.onClose}
      title={t("members.offerTitle", { email: email() })}
      confirmLabel={t("members.offer")}
      pending={offer.isPending}
      changes
      error={offer.isError ? describeFailure(readFailure(offer.error)) : undefined}
      onConfirm={() => props.member && offer.mutate(props.member.id)}
    >
      {t("members.offerBody")}
    </AlertDialog>
  );
}

function RemoveDialog(props: DialogProps<ListedMember | undefined>): JSX.Element {
  const [keys, setKeys] = createSignal<KeyFate>("revoke");
  const email = () => props.member?.email ?? "";
  const remove = useMutation(() => ({
    mutationFn: (personId: string) => api.members.remove.mutate({ personId, keys: keys() }),
    onSuccess: () => props.onDone(t("members.removed", { email: email() })),
  }));
  return (
    <AlertDialog
      open={props.member !== undefined}
      onOpenChange={props.onClose}
      title={t("members.removeTitle", { email: email() })}
      confirmLabel={t("members.remove")}
      pendingLabel={t("members.removing")}
      pending={remove.isPending}
      destructive
      changes
      error={remove.isError ? describeFailure(readFailure(remove.error)) : undefined}
      onConfirm={() => props.member && remove.mutate(props.member.id)}
    >
      <p>{t("members.removeBody")}</p>
      <RadioCards
        legend={t("members.removeKeys")}
        name="keys"
        value={keys()}
        onChange={setKeys}
        choices={[
          { value: "revoke", label: t("members.keysRevoke"), hint: t("members.keysRevokeHint") },
          { value: "keep", label: t("members.keysKeep"), hint: t("members.keysKeepHint") },
          {
            value: "hand_over",
            label: t("members.keysHandOver"),
            hint: t("members.keysHandOverHint"),
          },
        ]}
      />
    </AlertDialog>
  );
}
